import { triforgeRows } from './000-triforge.ts';
import { triseekRows } from './001-triseek.ts';
import { forgeMemoryRows } from './002-forge-memory.ts';
import { claudeMemSearchRows } from './003-claude-mem-search.ts';
import { theHookRows } from './004-thehook.ts';
import type { Capability, Row } from './row.ts';

export const compatibilityRows: Row[] = [
  ...triforgeRows,
  ...triseekRows,
  ...forgeMemoryRows,
  ...claudeMemSearchRows,
  ...theHookRows,
];

/** Of these nothing may be left planned without a word on when it comes. */
export const builtCapabilities: Capability[] = [
  'capture',
  'recall',
  'prelude',
  'install',
  'store',
  'work-sessions',
  'skill',
];
