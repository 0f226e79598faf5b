import { z } from 'zod';
import { projectShape } from '../api/shapes.ts';
import { settingsIn } from '../base/setting-descriptions.ts';
import { checkFailures, checkInstallations } from '../memory/installation-checks.ts';
import { statusOf } from '../memory/project-status.ts';
import { readFailures } from '../memory/projects/failures.ts';
import { readInstalls } from '../memory/projects/install-records.ts';
import * as projectAnswers from '../wire/answers/project.ts';
import { isNothingCaptured, placeOf, projectFor } from './parts.ts';
import { type Route, route } from './route.ts';

const maxShownFailures = 20;

export const healthRoutes: Route[] = [
  route({
    path: '/health',
    name: 'getLiveness',
    answers: projectAnswers.alive,
    summary: 'Liveness and version of the server.',
    params: z.object({}),
    answer: async ({ version }) => ({ status: 'ok' as const, version, pid: process.pid }),
  }),
  route({
    path: '/api/v1/health',
    name: 'getHealth',
    answers: projectAnswers.health,
    summary: 'Results of quick checks; `backstory doctor` runs the complete ones.',
    params: z.object(projectShape),
    async answer(http, { project }) {
      const installs = readInstalls(http.paths.installs);
      const checks = [
        ...checkInstallations(installs, process.execPath),
        checkFailures(http.paths, http.clock),
      ];
      const failures = readFailures(http.paths.failures).slice(-maxShownFailures);
      const health = { ok: checks.every(({ ok }) => ok), checks, failures };
      const user = http.paths.config;
      if (isNothingCaptured(http, project)) return { ...health, settings: settingsIn({ user }) };
      const named = projectFor(http, project);
      const place = placeOf(named);
      return {
        ...health,
        settings: settingsIn({ user, project: http.paths.project(named.project.id).config }),
        status: await statusOf(named.parts, place, http.activation(place)),
      };
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/shutdown',
    name: 'shutDown',
    answers: projectAnswers.ending,
    summary: 'Stops the server; the next `backstory ui` starts it again.',
    needsPerson: false,
    params: z.object({}),
    async answer(http) {
      http.end();
      return { status: 'ending' as const };
    },
  }),
];
