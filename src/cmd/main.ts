#!/usr/bin/env node
/** The `backstory` command. Loads the requested program; each is a separate bundle. */

import './require-node.ts';
import { sep } from 'node:path';
import { homePaths } from '../base/paths.ts';
import { enableCompileCache } from './startup-tuning.ts';

const [name = '', verb = ''] = process.argv.slice(2);
const memberVerbs = ['join', 'leave', 'push', 'take-back', 'pull', 'trust', 'distrust', 'report', 'status'];
const asksForHelp = process.argv.includes('--help') || process.argv.includes('-h');
if (name === 'mcp' && !asksForHelp) {
  import('./mcp-server.ts');
} else if (name === 'lsp' && !asksForHelp) {
  import('./lsp.ts');
} else if (name === 'drain') {
  import('./drain.ts');
} else if (name === 'serve') {
  import('./serve.ts');
} else if (name === 'team' && !memberVerbs.includes(verb)) {
  import('./team.ts');
} else {
  if (['recall', 'show'].includes(name) && process.env.BACKSTORY_OFF !== '1') {
    const { homedir } = process.getBuiltinModule('node:os');
    enableCompileCache(homePaths(process.env.BACKSTORY_HOME || `${homedir()}${sep}.backstory`));
  }
  // `require` starts faster: for `import`, Node would first scan the bundle for its exports.
  process.getBuiltinModule('node:module').createRequire(import.meta.url)('./command-line.cjs');
}
