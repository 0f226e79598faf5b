/**
 * `node bench/holds/exchange.ts --data DIR --project NAME [--sessions N]` lets a model learn the newest sessions of a project
 * through files: it writes `DIR/NAME/requests/001.prompt.json`, waits for `001.answer.txt`, applies it, and goes on with
 * the next session. Run it again to continue. Then `npm run eval -- holds --data DIR --writer model` measures the result.
 */

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cleanUp } from '../../test/harness/cleanup.ts';
import { importFolder } from '../recall-wordings/import-sessions.ts';
import { readWithFiles } from './read-with-files.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '' },
    project: { type: 'string', default: '' },
    sessions: { type: 'string', default: '1000' },
  },
});
if (values.data === '' || values.project === '') throw new Error('give --data and --project');
const folder = join(values.data, values.project);
try {
  const { parts } = await importFolder(values.project, folder);
  const { report } = await readWithFiles(parts, {
    folder: join(folder, 'requests'),
    mode: 'live',
    sessions: Number(values.sessions),
    onWait: (name) => console.error(`waiting for ${folder}/requests/${name}.answer.txt`),
  });
  console.log(JSON.stringify(report));
} finally {
  cleanUp();
}
