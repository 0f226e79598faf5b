import { expect, it } from 'vitest';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { type Asking, askRecall } from './recall-with-team.ts';

it('takes no parameter that recall does not read', () => {
  const given = { query: 'why Postgres', unread: true };
  const ask = (project: OpenProject, asking: Asking) =>
    // @ts-expect-error Nothing reads `unread`, so a tool or route that passes it must not compile.
    askRecall(project, given, asking);
  expect(ask).toBeTypeOf('function');
});
