#!/usr/bin/env node
import { keepCompiled } from './startup-tuning.ts';

/** `backstory`: hands over to the program that was asked for, each a bundle of its own. */
const [name = '', verb = ''] = process.argv.slice(2);
const forDevelopers = ['join', 'leave', 'push', 'take-back', 'pull', 'status'];
if (name === 'mcp') {
  await import('./mcp.ts');
} else if (name === 'drain') {
  await import('./drain.ts');
} else if (name === 'serve') {
  await import('./serve.ts');
} else if (name === 'team' && !forDevelopers.includes(verb)) {
  await import('./team.ts');
} else {
  if (['recall', 'timeline', 'show'].includes(name)) keepCompiled(process.env);
  // Required and not imported: Node would first read through all of it for names that it exports.
  process.getBuiltinModule('node:module').createRequire(import.meta.url)('./command-line.cjs');
}
