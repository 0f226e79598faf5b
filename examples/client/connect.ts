import { connect } from 'backstory/client';

/** Finds `backstory serve`, or starts it, reads a list to its end, and follows what changes. */
const backstory = await connect({ start: process.argv[2] !== '--no-start' });

const stop = new AbortController();
let noteId = '';
for await (const { event, data } of backstory.live({}, { signal: stop.signal })) {
  if (event === 'ready')
    noteId = (await backstory.createNote({ text: `Connected on ${new Date().toISOString()}.` })).id;
  if (event !== 'note:candidate' || data.id !== noteId) continue;
  console.log(`New: ${data.title}`);
  stop.abort();
}

for (const text of ['Jobs time out after a minute.', 'Jobs are rows.']) await backstory.createNote({ text });
let notes = 0;
for await (const note of backstory.listNotes.all({ limit: 1 })) notes += note.text === '' ? 0 : 1;
let hits = 0;
for await (const hit of backstory.recall.all({ query: 'jobs', limit: 1 })) hits += hit.preview === '' ? 0 : 1;
console.log(`${notes} notes and ${hits} hits, one page each.`);
