import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentFolders } from '../../src/agents/settings.ts';
import { findTranscripts } from '../../src/agents/transcripts.ts';
import { systemClock } from '../../src/base/clock.ts';
import { homePaths } from '../../src/base/paths.ts';
import { importTranscripts } from '../../src/memory/capture/import-transcripts.ts';
import { drain } from '../../src/memory/drain.ts';
import type { OpenProject } from '../../src/memory/projects/open-project.ts';
import { resolvePlace } from '../../src/memory/projects/projects.ts';
import { temporaryFolder } from '../../test/harness/cleanup.ts';
import { markInstalled, markPast, openDrain } from '../../test/harness/home.ts';
import { recordsOf } from '../sessions/transcript.ts';
import { type RealSession, readSessions } from './read-sets.ts';

/** Writes the sessions as Claude Code transcripts and imports them. */
export function importSessions(
  name: string,
  sessions: RealSession[],
): Promise<{ parts: OpenProject; now: number }> {
  return importProject(name, (folder, root) => {
    for (const [at, session] of sessions.entries())
      writeTranscript(join(folder, `${String(at).padStart(4, '0')}.jsonl`), session, root);
    return Math.max(...sessions.flatMap(({ messages }) => messages.map(({ at }) => at)));
  });
}

/** Imports the project of a folder: its raw transcripts if it has some, or else its sessions. */
export const importFolder = (name: string, folder: string): Promise<{ parts: OpenProject; now: number }> =>
  existsSync(join(folder, 'transcripts'))
    ? importTranscriptsOf(name, join(folder, 'transcripts'))
    : importSessions(name, readSessions(folder));

/** Imports transcripts as Claude Code wrote them, with the path of the checkout replaced wherever it stands. */
export function importTranscriptsOf(
  name: string,
  transcripts: string,
): Promise<{ parts: OpenProject; now: number }> {
  return importProject(name, (folder, root) => {
    mkdirSync(folder, { recursive: true });
    const ends = readdirSync(transcripts).map((file) => {
      const text = readFileSync(join(transcripts, file), 'utf8');
      const end = Math.max(
        ...[...text.matchAll(/"timestamp":"([^"]+)"/g)].map(([, at]) => Date.parse(at as string) || 0),
      );
      writeFileSync(join(folder, file), relocated(text, root));
      utimesSync(join(folder, file), end / 1000, end / 1000);
      return end;
    });
    return Math.max(...ends);
  });
}

/**
 * Replaces the path of the checkout in each form in which shells and JSON write it. The session may have started in a
 * folder of the checkout, which only the shortest path of all shows.
 */
function relocated(text: string, root: string): string {
  const folders = [...text.matchAll(/"cwd":"((?:[^"\\]|\\.)+)"/g)].map(
    ([, path]) => JSON.parse(`"${path}"`) as string,
  );
  const old = [...new Set(folders)].sort((a, b) => a.length - b.length)[0] ?? root;
  const [, drive = '', rest = old] = /^([A-Za-z]):(.*)$/.exec(old) ?? [];
  const path = rest
    .split(/[\\/]/)
    .filter((part) => part !== '')
    .map((part) => part.replace(/[^\w]/g, '\\$&'))
    .join('[\\\\/]+');
  const start = drive === '' ? '/' : `(?:${drive}:[\\\\/]+|/(?:mnt/)?${drive}/)`;
  return text.replace(
    new RegExp(`${start}${path}((?:[\\\\/]+[\\w.@-]+)*)`, 'gi'),
    (_, below: string) => root + below.replace(/[\\/]+/g, '/'),
  );
}

/** Imports transcripts, indexes them and extracts notes as the product does. `write` returns the time of the last one. */
async function importProject(
  name: string,
  write: (folder: string, root: string) => number,
): Promise<{ parts: OpenProject; now: number }> {
  const home = temporaryFolder('sessions');
  const root = join(home, 'repo');
  const claude = join(home, '.claude');
  // Give the project a remote, because its id is made from the remote or else from the temporary path. Hits with equal
  // scores are ordered by ids derived from it.
  execFileSync('git', ['init', '-q', root]);
  execFileSync('git', ['-C', root, 'remote', 'add', 'origin', `https://example.com/${name}.git`]);
  // The clock is set to the day of the last session, so that notes have not aged when questions are asked.
  const now = write(join(claude, 'projects', 'repo'), root);
  const paths = homePaths(join(home, '.backstory'));
  markInstalled(paths.home);
  markPast(paths.home, home);
  const { place, remember } = resolvePlace(paths, root, systemClock);
  remember();
  const parts = openDrain(paths, place.project, {
    userHome: home,
    clock: { now: () => now },
    transcriptRoots: [join(claude, 'projects')],
  });
  const transcripts = findTranscripts(agentFolders({}, home), ['claude-code']);
  await importTranscripts(parts, transcripts, { onRead() {}, onIndex() {} });
  const { isComplete } = await drain(parts);
  if (!isComplete) throw new Error(`${name} was not indexed completely`);
  return { parts, now };
}

/** Writes a session as Claude Code does. */
export function writeTranscript(path: string, { id, messages }: RealSession, cwd: string): void {
  let promptId = '';
  let parentUuid = '';
  const records = messages.flatMap((message) => {
    if (message.act.kind === 'prompt') promptId = `turn-${message.id}`;
    return recordsOf(message.act, message.id, cwd).map((record, at) => {
      const uuid = at === 0 ? message.id : `${message.id}-result`;
      const chain = record.type === 'user' ? { promptId } : {};
      const common = { sessionId: id, cwd, version: '2.1.325', gitBranch: 'main', isSidechain: false };
      const timestamp = new Date(message.at).toISOString();
      const line = JSON.stringify({ ...common, ...chain, ...record, uuid, parentUuid, timestamp });
      parentUuid = uuid;
      return `${line}\n`;
    });
  });
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, records.join(''));
  // The import reads transcripts in the order of their modification time.
  const end = Math.max(...messages.map(({ at }) => at)) / 1000;
  utimesSync(path, end, end);
}
