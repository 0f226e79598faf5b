import { z } from 'zod';
import * as teamAnswers from '../../wire/answers/team.ts';
import { approveSignIn } from '../people/sign-in.ts';
import { type TeamRoute, teamRoute } from './route.ts';

export const signInRoutes: TeamRoute[] = [
  teamRoute({
    method: 'POST',
    path: '/api/v1/device/approve',
    alias: '/api/device/approve',
    name: 'approveDevice',
    answers: teamAnswers.approvedDevice,
    summary: 'Approves the device that shows this code. It then acts on your behalf.',
    params: z.object({ code: z.string().min(8).max(20) }),
    // A person types one or two codes. More attempts are guesses.
    rate: { perSecond: 10 / 60, burst: 10 },
    answer: ({ store }, { code }, token) => approveSignIn(store, token, code),
  }),
];
