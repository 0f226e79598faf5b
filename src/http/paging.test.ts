import { afterAll, beforeAll, expect, it } from 'vitest';
import { methodsOf, type Operations } from '../../client/request.ts';
import { createHttpHome, type HttpHome } from '../../test/support/http-home.ts';
import { sampleEvent } from '../../test/support/sample-event.ts';
import { notePartsOf } from '../memory/notes/note-parts.ts';
import { rememberNote } from '../memory/notes/remember.ts';
import { describedRoutes } from './routes.ts';

const sessions = 7;
let home: HttpHome;

beforeAll(async () => {
  home = await createHttpHome();
  // Session ids that are out of order, and two sessions that end at the same time.
  for (const name of ['f', 'b', 'e', 'a', 'd', 'c']) {
    home.prompt(`Mend the gradient of page ${name}.`, { session_id: `session-${name}`, prompt_id: name });
    home.answer(`The gradient of page ${name} is mended.`, {
      session_id: `session-${name}`,
      prompt_id: name,
    });
  }
  const { log, project } = home.open();
  const last = home.events().at(-1)?.at ?? '';
  const at = (name: string) => ({ at: last, agentSession: `session-${name}`, project });
  log.append([
    sampleEvent({ ...at('g'), kind: 'prompt', body: { text: 'Which gradient is left?', turn: 'g' } }),
    // A commit belongs to no session, and is found by the same word.
    sampleEvent({
      ...{ ...at(''), agentSession: '', kind: 'commit', origin: 'tool', trust: 1 },
      body: { hash: 'a'.repeat(40), message: 'gradient: mend it', author: 'Ana', files: ['gradient.ts'] },
    }),
  ]);
  home.clock.set(Date.parse(last) + 60_000);
  await home.drain();
  const parts = notePartsOf(home.open());
  const note = { concepts: ['gradient'], files: ['gradient.ts'], author: 'ana' };
  for (const [text, trust] of [
    ['one', 3],
    ['two', 3],
    ['three', 3],
    ['four', 1],
    ['five', 1],
    ['six', 1],
  ] as const)
    await rememberNote(parts, { ...note, text: `The gradient has step ${text}.`, kind: 'decision', trust });
  await home.drain();
});
afterAll(() => home.close());

/** Parameters that the paged operations need, or with which they list something else. */
const asked: Record<string, Record<string, string>[]> = {
  recall: [
    { query: 'gradient' },
    { kind: 'decision' },
    { since: '90d' },
    { in: 'sessions' },
    { in: 'sessions', query: 'gradient' },
    { in: 'observations', query: 'gradient' },
    { in: 'observations', since: '90d' },
  ],
  listTopics: [{}, { list: 'proposed' }, { list: 'told' }],
  searchObservations: [{ query: 'gradient' }],
  searchByType: [{ type: 'decision' }],
  searchByConcept: [{ concept: 'gradient' }],
  searchByFile: [{ filePath: 'gradient.ts' }],
  searchSessions: [{ query: 'gradient' }],
  searchPrompts: [{ query: 'gradient' }],
};

const paged = describedRoutes.filter(
  ({ params, path }) => 'cursor' in params.shape && !path.startsWith('/api/v1/code'),
);
const lists = paged.flatMap(({ name, path }) =>
  (asked[name] ?? [{}]).map((given) => ({ name, path, given })),
);

// biome-ignore lint/suspicious/noExplicitAny: pages of many routes, which other tests compare with their schemas
type Page = any;
const itemsOf = (page: Page): Page[] => page.results ?? page.sessions ?? page.items;
const idOf = (item: Page): string => item.id ?? item.note.id;

it.each(lists)(
  '$name with $given gives each item exactly once and ends, whatever the size of a page',
  async ({ path, given }) => {
    const read = async (limit: number) => {
      const pages: Page[] = [];
      for (let cursor: string | undefined; pages.length <= 60; ) {
        const query = new URLSearchParams({ ...given, limit: String(limit), ...(cursor && { cursor }) });
        const page: Page = JSON.parse((await home.ask(`${path}?${query}`)).text);
        pages.push(page);
        cursor = page.nextCursor ?? page.next_cursor;
        if (cursor === undefined) break;
        expect(itemsOf(page).length, `page ${pages.length} of ${limit}`).toBe(limit);
      }
      for (const page of pages) expect(page.count ?? itemsOf(page).length).toBe(itemsOf(page).length);
      return pages.flatMap(itemsOf).map(idOf);
    };
    const all = await read(100);
    expect(all.length).toBeGreaterThan(path.endsWith('topics') ? 2 : 0);
    for (const limit of [1, 2, 5]) expect(await read(limit), `limit ${limit}`).toEqual(all);
  },
);

it('lists every session once with the client, to the end', async () => {
  const { path } = paged.find(({ name }) => name === 'listAgentSessions') ?? { path: '' };
  const operations: Operations = { listAgentSessions: `GET ${path}` };
  const client = methodsOf({ url: home.server.url, token: home.token }, operations, () => {}) as Record<
    string,
    Page
  >;
  const found: string[] = [];
  for await (const { id } of client.listAgentSessions.all({ limit: 5 })) {
    found.push(id);
    if (found.length > 2 * sessions) break;
  }
  expect(found.sort()).toEqual([...'abcdefg'].map((name) => `session-${name}`));
});
