import { excludeCommand, initCommand, offCommand, pauseCommand } from './activation.ts';
import { exportCommand, restoreCommand } from './archive.ts';
import type { Command, CommandGroup } from './command.ts';
import { configCommand } from './config.ts';
import { doctorCommand } from './doctor.ts';
import { editCommand } from './edit.ts';
import { filesCommand } from './files.ts';
import { forgetCommand } from './forget.ts';
import { importCommand } from './import.ts';
import { installCommand } from './install.ts';
import { logsCommand } from './logs.ts';
import { pinCommand } from './pin.ts';
import { preludeCommand } from './prelude.ts';
import { projectCommand } from './project.ts';
import { recallCommand } from './recall.ts';
import { reindexCommand } from './reindex.ts';
import { rememberCommand } from './remember.ts';
import { reviewCommand } from './review.ts';
import { searchCommand } from './search.ts';
import { showCommand } from './show.ts';
import { statusCommand } from './status.ts';
import { timelineCommand } from './timeline.ts';
import { uninstallCommand } from './uninstall.ts';

/** Every command, in the order `--help` shows them. */
export const commands: Command[] = [
  recallCommand,
  timelineCommand,
  showCommand,
  rememberCommand,
  editCommand,
  pinCommand,
  reviewCommand,
  forgetCommand,
  preludeCommand,
  searchCommand,
  filesCommand,
  installCommand,
  uninstallCommand,
  importCommand,
  doctorCommand,
  initCommand,
  offCommand,
  pauseCommand,
  excludeCommand,
  projectCommand,
  statusCommand,
  configCommand,
  logsCommand,
  reindexCommand,
  exportCommand,
  restoreCommand,
];

/** Names that the designs this product grew from used for the same thing. */
export const aliases: Record<string, string> = { build: 'reindex' };

export const groups: CommandGroup[] = [
  'What do we know?',
  'Where is it?',
  'Set up',
  'Control',
  'Look inside',
  'Run by others',
];

export const runByOthers = [
  {
    usage: 'mcp [serve] [--repo DIR] [--tools core|memory|code|all]',
    summary: 'The MCP server on stdio; agents start it.',
  },
  { usage: 'drain --project ID', summary: 'Bounded background work; hooks start it.' },
];
