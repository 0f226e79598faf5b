import { z } from 'zod';
import { approveSignIn } from '../people/sign-in.ts';
import { type TeamRoute, teamRoute } from './route.ts';

export const signInRoutes: TeamRoute[] = [
  teamRoute({
    method: 'POST',
    path: '/api/device/approve',
    summary: 'Approves the device that shows this code. It then acts on your behalf.',
    params: z.object({ code: z.string().min(8).max(20) }),
    // A person types one or two codes. More attempts are guesses.
    rate: { perSecond: 10 / 60, burst: 10 },
    answer: ({ store }, { code }, token) => approveSignIn(store, token, code),
  }),
];
