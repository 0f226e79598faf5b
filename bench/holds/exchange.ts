/**
 * `node bench/holds/exchange.ts --data DIR --set NAME --exchange FOLDER [--sessions N]` imports a set of real sessions
 * and lets a model read them through files: it writes `FOLDER/001.prompt.json`, waits for `FOLDER/001.answer.txt`,
 * applies it, and goes on with the next session. At the end it prints the statements and the prelude. Run it again with
 * the same folder to continue.
 */

import { parseArgs } from 'node:util';
import { readPrelude } from '../../src/memory/prelude/prelude-file.ts';
import { cleanUp } from '../../test/harness/cleanup.ts';
import { importSessions } from '../recall-real/import-sessions.ts';
import { readRealSets } from '../recall-real/read-sets.ts';
import { readWithFiles } from './read-with-files.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '' },
    set: { type: 'string', default: '' },
    exchange: { type: 'string', default: '' },
    sessions: { type: 'string', default: '1000' },
  },
});
const set = readRealSets(values.data)?.find(({ name }) => name === values.set);
if (set === undefined || values.exchange === '') throw new Error('give --data, --set and --exchange');
try {
  const sessions = set.sessions.slice(0, Number(values.sessions));
  const { parts } = await importSessions(set.name, sessions);
  const report = await readWithFiles(parts, values.exchange, (name) =>
    console.error(`waiting for ${values.exchange}/${name}.answer.txt`),
  );
  console.log(JSON.stringify(report));
  for (const { state, trust, kind, topic = '', text, quote = '', validFrom } of await parts.notes.list())
    if (kind !== 'summary')
      console.log([state, trust, validFrom.slice(0, 10), kind, topic, text, quote].join(' | '));
  const prelude = readPrelude(parts.paths, parts.project);
  console.log(`\n${(prelude?.lines ?? []).map(({ text }) => text).join('\n')}`);
} finally {
  cleanUp();
}
