import { built, tuned, unfinished, upgraded } from './changes.ts';
import { commandFound } from './commands.ts';
import { chosen, dropped, refused, reversed } from './decisions.ts';
import { cured, triedFirst } from './fixes.ts';
import { knowledge, told } from './preferences.ts';
import type { Scenario } from './scenario.ts';

export const scenarios: readonly Scenario[] = [
  dropped,
  chosen,
  reversed,
  refused,
  cured,
  triedFirst,
  commandFound,
  told,
  knowledge,
  upgraded,
  tuned,
  built,
  unfinished,
];
