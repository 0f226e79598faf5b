import { beforeAll, describe, expect, it } from 'vitest';

type HitLink = typeof import('./hit-link.ts').hitLink;
let hitLink: HitLink;

beforeAll(async () => {
  // The router reads the address of the page when it is loaded.
  Object.assign(globalThis, { location: { hash: '' }, history: { state: null, replaceState() {} } });
  Object.assign(globalThis, { addEventListener() {} });
  ({ hitLink } = await import('./hit-link.ts'));
});

const note = { source: 'note' as const, sourceId: 'id', agentSession: '' };
const team = { name: 'queue', author: 'ann' };

describe('the link of a hit', () => {
  it('leads to the page of a note, also of a teammate’s note that was synced', () => {
    expect(hitLink(note)).toBe('#/note/id');
    expect(hitLink({ ...note, team: { ...team, source: 'note' } })).toBe('#/note/id');
  });

  it('leads to the page that is opened from the server if this machine has no such note', () => {
    expect(hitLink({ ...note, team: { ...team, source: 'note', isOnServer: true } })).toBe('#/event/id');
    expect(hitLink({ ...note, team: { ...team, source: 'issue' } })).toBe('#/event/id');
  });
});
