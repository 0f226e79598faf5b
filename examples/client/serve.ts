import { ApiError, type Hit, type Note, serveClient } from 'backstory/client';

/**
 * Calls operations of `backstory serve`. BACKSTORY_URL and BACKSTORY_TOKEN are in ~/.backstory/serve.json and
 * serve.token. FILE is a file of the project in whose folder the server was started.
 */
const { BACKSTORY_URL: url = '', BACKSTORY_TOKEN: token, FILE: path = '' } = process.env;
const backstory = serveClient({ url, token });

const { status, version } = await backstory.getLiveness();
console.log(`Backstory ${version} is ${status}.`);

const { items: projects } = await backstory.listProjects();
const { project } = await backstory.getOverview();
console.log(`${project?.name} is one of ${projects.length} projects.`);

// Memory
const note: Note = await backstory.createNote({
  text: 'Retries stay in Postgres, because Redis lost jobs on failover.',
  kind: 'decision',
  concepts: ['queue'],
  files: [path],
});
const { items: notes } = await backstory.listNotes({ state: 'candidate', kind: 'decision', limit: 10 });
const { note: opened, code } = await backstory.getNote({ id: note.id });
const { items: candidates, changes } = await backstory.listReview();
const { notes: forgettable } = await backstory.previewForget({ id: note.id });
console.log(opened.title, code.length, changes.length);
console.log(`${notes.length} or ${candidates.length} wait; ${forgettable.length} would go.`);

const { items: hits, match, arms } = await backstory.recall({ query: 'retries in postgres', limit: 5 });
const best: Hit | undefined = hits[0];
console.log(match, arms.lexical, best?.preview, best?.ranks.lexical);
const { items: around, anchor } = await backstory.timeline({
  query: 'retries',
  depthBefore: 3,
  depthAfter: 3,
});
const prelude = await backstory.getPrelude();
const { prelude: told, waiting, open } = await backstory.getToday();
const { items: topics, total } = await backstory.listTopics({ words: 'retries', list: 'holds' });
console.log(around.length, anchor?.kind, prelude.tokens, told.lines.length, waiting.total, open.total);
console.log(`${topics.length} of ${total} topics.`);

// Sessions
const { items: sessions } = await backstory.listAgentSessions({ limit: 1 });
const id = sessions[0]?.id ?? '';
const { session, turns } = await backstory.getAgentSession({ id });
console.log(session.title, turns.length, session.decisions.length);
const event = turns[0]?.events[0]?.id ?? '';
const { kind, text } = await backstory.getEventView({ id: event });
const { items: ended } = await backstory.getActivity();
const { items: steps } = await backstory.listNextSteps();
console.log(kind, text, ended.length, steps[0]?.command);

// Code
const found = await backstory.searchCode({ query: 'export', limit: 5 });
console.log('lineCount' in found ? `${found.lineCount} lines` : `${found.items.length} results`);
const { items: files } = await backstory.findFiles({ query: path });
const { lines } = await backstory.getLines({ path, from: 1, to: 10 });
const page = await backstory.getFilePage({ path });
const { items: definitions } = await backstory.findDefinitions({ name: page.symbols[0]?.name ?? '' });
console.log(files[0]?.reason, lines.length, definitions[0]?.signature);
const { origins } = await backstory.why({ target: `${path}:1` });
const { blocks } = await backstory.getFileStory({ path });
const { items: worked } = await backstory.listWorkedFiles();
console.log(origins[0]?.session?.agent, blocks.length, worked.length);

// Figures
const { total: saved } = await backstory.getStats({ days: 7 });
const { caps, month } = await backstory.getSpend({ days: 7 });
const { ok, checks } = await backstory.getHealth();
const { openapi } = await backstory.getOpenApi();
const { endpoints } = await backstory.searchHelp();
console.log(saved.netTokens, month.usd, caps.monthlyUsd, ok, checks.length, openapi, endpoints.length);

// An error has the problem details of the server.
try {
  await backstory.getNote({ id: 'no-such-note' });
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.log(error.status, error.code, error.hint);
}
