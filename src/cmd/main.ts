#!/usr/bin/env node
/** The `backstory` command. Loads the requested program; each is a separate bundle. */

import { enableCompileCache } from './startup-tuning.ts';

const [name = '', verb = ''] = process.argv.slice(2);
const memberVerbs = ['join', 'leave', 'push', 'take-back', 'pull', 'status'];
if (name === 'mcp') {
  await import('./mcp.ts');
} else if (name === 'drain') {
  await import('./drain.ts');
} else if (name === 'serve') {
  await import('./serve.ts');
} else if (name === 'team' && !memberVerbs.includes(verb)) {
  await import('./team.ts');
} else {
  if (['recall', 'timeline', 'show'].includes(name)) enableCompileCache(process.env);
  // `require` starts faster: for `import`, Node would first scan the bundle for its exports.
  process.getBuiltinModule('node:module').createRequire(import.meta.url)('./command-line.cjs');
}
