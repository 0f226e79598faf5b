import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Home } from '../../harness/home.ts';
import { promptInput, sessionStartInput } from '../../harness/hook-input.ts';
import type { Prose } from '../../harness/prose.ts';
import type { Random } from '../../harness/random.ts';

/** A Backstory home in use: events, a note, settings, an index and a prelude (the context for new sessions). */
export interface Template {
  folder: string;
  project: string;
  /** A word that only the old note contains. */
  noteWord: string;
}

const events = 12;

export async function prepareTemplate(home: Home, prose: Prose, random: Random): Promise<Template> {
  const where = { cwd: home.repo, session: 'before' };
  home.hook(sessionStartInput(where));
  for (let at = 0; at < events; at++)
    home.hook(promptInput(where, `before-${at}`, prose.take(1_000, random)));
  writeFileSync(join(home.backstory, 'config.json'), '{ "actor": "tester" }\n');
  home.json('remember', 'We keep the ledger in Postgres because of xylophone.');
  await home.startDrain().ended;
  const project = basename(home.projectFolder());
  const folder = join(home.home, 'template');
  cpSync(home.backstory, folder, { recursive: true });
  // Delete the files below the mount point. The mounted disk hides them, and they must not be read by mistake
  // afterwards.
  for (const name of readdirSync(home.backstory)) rmSync(join(home.backstory, name), { recursive: true });
  return { folder, project, noteWord: 'xylophone' };
}
