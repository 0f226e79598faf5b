/**
 * Exits with one line if this Node is too old. A program imports this first: an older Node fails with a syntax error or
 * a missing function as soon as it loads anything else. Files that import it are built for old versions of Node.
 */

import { writeSync } from 'node:fs';
import { oldNodeMessage } from '../base/node-version.ts';

const message = oldNodeMessage(process.version, process.execPath);
if (message !== undefined) {
  writeSync(2, `${message}\n`);
  process.exit(1);
}
