import { isoTime } from '../base/clock.ts';
import { gitIn } from './in-repository.ts';

/** Shorter texts stand in a file by chance. */
const minLength = 32;
const timeoutMs = 5_000;

/**
 * A file that had a text in the last commit before a time; undefined if none had it. The beginning and the end of the
 * text are searched, because a file may break its lines elsewhere.
 */
export async function fileWithText(root: string, text: string, before: number): Promise<string | undefined> {
  const flat = text.replace(/\s+/g, ' ').trim();
  if (flat.length < minLength || root === '') return undefined;
  const range = ['rev-list', '--max-count=1', `--before=${isoTime(before)}`, 'HEAD', '--'];
  const commit = (await gitIn(root, range, timeoutMs))?.trim() ?? '';
  if (commit === '') return undefined;
  const ends = [flat.slice(0, minLength), flat.slice(-minLength)].flatMap((end) => [
    '-e',
    end.toWellFormed(),
  ]);
  const args = ['grep', '-l', '-z', '-i', '-F', '--all-match', ...ends, commit, '--'];
  const [found = ''] = (await gitIn(root, args, timeoutMs))?.split('\0') ?? [];
  return found === '' ? undefined : found.slice(found.indexOf(':') + 1);
}
