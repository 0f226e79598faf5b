import { createHash, randomBytes } from 'node:crypto';
import { ApiError, type TeamHit, type TeamMemory, teamClient } from 'backstory/client';

/** Calls operations of a team server, as a person with the token BACKSTORY_TOKEN. */
const { BACKSTORY_URL: url = '', BACKSTORY_TOKEN: token = '' } = process.env;
const team = teamClient({ url, token });

const { person, scopes } = await team.getMe();
const { items: projects } = await team.listProjects();
const id = projects[0]?.id ?? '';
console.log(`${person} may ${scopes.join(', ')} in ${projects[0]?.name}.`);

// Write
const saved = await team.saveMemory({
  id,
  text: 'Retries stay in Postgres.',
  metadata: { kind: 'decision' },
});
const { items: batch } = await team.saveMemories({
  id,
  memories: [{ source: 'note', sourceRef: 'example-1', text: 'Queues have a dead letter table.' }],
});
const reported = await team.reportChange({
  id,
  event: 'issue:created',
  sourceRef: 'example/7',
  updatedAt: new Date().toISOString(),
  title: 'Jobs are lost on failover',
  description: 'Redis lost jobs when src/queue.ts retried them.',
});
const synced = await team.syncNotes({ id, after: 0 });
console.log(saved.isChanged, batch.length, reported.outcome, synced.changes.length);

// Read
const { items: listed, nextCursor } = await team.listMemories({ id, limit: 2 });
const { memory, related } = await team.getMemory({ id: saved.documentId });
const { text, visibility, author }: TeamMemory = memory;
console.log(listed.length, nextCursor !== undefined, text, visibility, author?.name, related.length);

const { items: hits, match } = await team.recall({
  id,
  query: 'retries in postgres',
  source: ['note', 'issue'],
});
const best: TeamHit | undefined = hits[0];
console.log(match, best?.memory.sourceRef, best?.preview);
const { results: records } = await team.searchMemory({ id, q: 'failover' });
const observations = await team.searchObservations({ id, query: 'retries' });
const byType = await team.searchByType({ id, type: ['decision'] });
const byConcept = await team.searchByConcept({ id, concept: 'queue' });
const byFile = await team.searchByFile({ id, filePath: 'src/queue.ts' });
console.log(records.length, observations.count, byType.count, byConcept.count, byFile.count);

const { items: around } = await team.timeline({ id, query: 'retries', depthBefore: 2, depthAfter: 2 });
const after = await team.timelineAround({ id, anchor: new Date().toISOString() });
const byQuery = await team.timelineByQuery({ id, query: 'retries' });
const { endpoints } = await team.searchHelp({ id });
console.log(around[0]?.memory.source, after.count, byQuery.count, endpoints.length);

const { total, bySource } = await team.getStats({ id, days: 30 });
const reindexed = await team.reindexMemory({ id });
console.log(total, bySource[0]?.source, reindexed.status);

// A stream of events continues after a broken connection, until it is aborted.
const stop = new AbortController();
const stream = team.streamEvents({ id }, { signal: stop.signal });
const next = stream.next();
await team.saveMemory({ id, text: 'Retries have a deadline of one minute.' });
console.log((await next).value?.event);
stop.abort();

// A device signs in with a token that it makes itself; the server knows only the hash.
const secret = randomBytes(32).toString('hex');
const hash = createHash('sha256').update(secret).digest('hex');
const begun = await team.beginDeviceSignIn({ hash, name: 'example' });
const { state } = await team.getDeviceState({ hash });
const approved = await team.approveDevice({ code: begun.code });
const { left } = await team.endDeviceSignIn({ token: secret });
console.log(begun.page, state, approved.name, left);

// A browser has a session instead of a token.
const { signedIn } = await team.getSession();
console.log(signedIn);

const { removed } = await team.deleteMemory({ id: saved.documentId });
try {
  await team.getMemory({ id: saved.documentId });
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.log(removed, error.status, error.code, error.hint);
}
