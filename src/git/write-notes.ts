import { devNull } from 'node:os';
import { join } from 'node:path';
import { git } from './git.ts';
import { userValue } from './git-config.ts';
import { readGitFile } from './git-dir.ts';
import { isCommitHash } from './head.ts';
import { createIsolatedGitDir } from './isolated-git-dir.ts';
import { authorshipRef, notesHead } from './notes.ts';
import { type Repository, repositoryAt } from './repository.ts';

const timeoutMs = 60_000;

/**
 * Adds or replaces the notes of commits in `refs/notes/ai`, in one commit. Returns what git said if it failed. Another
 * program that changes the ref at the same time makes it fail; nothing of that program's work is lost.
 */
export async function writeNotes(
  root: string,
  notes: Map<string, string>,
  { message, now }: { message: string; now: number },
): Promise<string | undefined> {
  const repository = repositoryAt(root);
  if (repository === undefined) return `${root} is not a git repository`;
  const before = notesHead(root);
  const gitDir = createIsolatedGitDir(root, repository, false);
  try {
    const { environment } = gitDir;
    const input = importStream(notes, { before, by: identityOf(repository), at: now, message });
    const made = await git({ args: ['fast-import', '--quiet'], cwd: root, environment, input, timeoutMs });
    const after = readGitFile(join(gitDir.folder, authorshipRef))?.trim() ?? '';
    if (made.code !== 0 || !isCommitHash(after)) return made.message || 'git fast-import made no notes';
    // Only this command sees the repository's configuration, of which it can run nothing but hooks.
    const args = ['-c', `core.hooksPath=${devNull}`, 'update-ref', '-m', message, authorshipRef, after];
    const updated = await git({
      args: [...args, before || '0'.repeat(after.length)],
      cwd: root,
      environment: { GIT_DIR: repository.commonDir },
      timeoutMs,
    });
    return updated.code === 0 ? undefined : updated.message;
  } finally {
    gitDir.remove();
  }
}

interface NotesCommit {
  before: string;
  by: string;
  at: number;
  message: string;
}

function importStream(notes: Map<string, string>, { before, by, at, message }: NotesCommit): string {
  const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  return [
    `commit ${authorshipRef}\n`,
    `committer ${by} ${Math.floor(at / 1000)} +0000\n`,
    data(message),
    before === '' ? '' : `from ${before}\n`,
    ...[...notes].map(([commit, text]) => `N inline ${commit}\n${data(text)}`),
  ].join('');
}

function identityOf({ config, gitDir }: Repository): string {
  const [name = '', mail = ''] = ['user.name', 'user.email'].map((key) =>
    (config.get(key)?.at(-1) ?? userValue(gitDir, key) ?? '').replace(/[<>\n\r\0]/g, ''),
  );
  return `${name || 'Backstory'} <${mail}>`;
}
