import { existsSync } from 'node:fs';
import { z } from 'zod';
import * as projectAnswers from '../wire/answers/project.ts';
import { knownProjects, lastWrite } from './parts.ts';
import { type Route, route } from './route.ts';

export const projectRoutes: Route[] = [
  route({
    path: '/api/v1/projects',
    name: 'listProjects',
    answers: projectAnswers.projectList,
    summary: 'Projects of this user, most recently used first.',
    params: z.object({}),
    async answer(http) {
      const projects = knownProjects(http.paths)
        .map((project) => ({ ...project, lastAt: lastWrite(http.paths, project) }))
        .sort((a, b) => b.lastAt - a.lastAt || (a.id < b.id ? -1 : 1));
      return {
        startedIn: projects.find(({ id }) => id === http.startedIn)?.id ?? null,
        items: projects.map(({ id, name, paths, created, lastAt }) => ({
          id,
          name,
          paths,
          isThere: paths.some((path) => existsSync(path)),
          created,
          lastAt: lastAt === 0 ? null : lastAt,
        })),
      };
    },
  }),
];
