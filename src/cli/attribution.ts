import { agentTraceOf } from '../attribution/agent-trace.ts';
import { attributeCommits, type CommitAttribution } from '../attribution/attribute-commits.ts';
import { AppError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import { formatRanges, recordOf } from '../git/authorship-log.ts';
import { writeNotes } from '../git/notes.ts';
import { findRange } from '../git/revisions.ts';
import { harmlessLine } from '../text/fence.ts';
import { plural } from '../text/plural.ts';
import { type App, type Command, isSet, type Outcome, type ParsedArgs } from './command.ts';

export const attributionCommand: Command = {
  name: 'attribution',
  usage: 'attribution (write | export) RANGE [--yes] [--replace]',
  summary: 'Write who wrote the lines of commits as Git AI notes, or print it as Agent Trace records.',
  group: 'Code',
  options: {
    yes: { about: 'Write without asking.' },
    replace: { about: 'Replace existing notes of the commits instead of adding to them.' },
  },
  async run(app, args) {
    const [action, ...names] = args.positionals;
    const isWriting = action === 'write';
    if ((!isWriting && action !== 'export') || names.length !== 1)
      throw new AppError('INVALID_ARGUMENT', 'name an action and commits', {
        hint: 'backstory attribution write main..HEAD',
      });
    const { root, project } = app.place();
    const range = await findRange(root, names[0] as string);
    if (range === undefined)
      throw new AppError('NOT_FOUND', `${names[0]} names no commits of this repository`, {
        hint: 'List commits: git log --oneline',
      });
    const progress = app.progress('Attributing');
    const attributed = await attributeCommits({ parts: app.open(project), root }, range, {
      isReplacing: isSet(args, 'replace'),
      onProgress: progress.update,
    }).finally(progress.end);
    return isWriting ? write(app, args, root, attributed) : exportTraces(app, attributed);
  },
};

async function write(
  app: App,
  args: ParsedArgs,
  root: string,
  attributed: CommitAttribution[],
): Promise<Outcome> {
  const pending = attributed.filter(({ state }) => state === 'new' || state === 'changed');
  const shown = attributed.flatMap(linesOf);
  const count = plural(pending.length, 'note');
  const question = `Write ${count} to refs/notes/ai of this repository?`;
  if (pending.length > 0 && !isSet(args, 'yes')) for (const line of shown) app.printError(line);
  const isAgreed = pending.length > 0 && (isSet(args, 'yes') || (await app.confirm(question)));
  if (isAgreed) {
    const notes = new Map(pending.map(({ commit, note }) => [commit.hash, note]));
    const options = { message: 'Notes added by backstory attribution write', now: app.clock.now() };
    const failure = await writeNotes(root, notes, options);
    if (failure !== undefined)
      throw new AppError('BACKEND_FAILURE', `git could not write the notes: ${harmlessLine(failure, 300)}`, {
        hint: 'Run the command again',
      });
  }
  const last =
    pending.length === 0
      ? 'Nothing to write.'
      : isAgreed
        ? `Wrote ${count}. Share them: git push origin refs/notes/ai`
        : `Nothing was written. Write ${count} with --yes.`;
  return {
    value: { written: isAgreed ? pending.length : 0, commits: attributed.map(jsonOf) },
    text: [...(pending.length === 0 || isSet(args, 'yes') ? shown : []), last].join('\n'),
  };
}

const jsonOf = ({ commit, log, ...rest }: CommitAttribution) => ({ commit: commit.hash, ...rest });

const stateTexts: Record<CommitAttribution['state'], string> = {
  new: 'new note',
  changed: 'adds to its note',
  same: 'note is up to date',
  none: 'no author is known',
  left: 'left as it is',
};

function linesOf({ commit, added, named, log, state, reason }: CommitAttribution): string[] {
  const what = `${commit.hash.slice(0, 12)} ${harmlessLine(commit.subject, 60)}`;
  const head = `${what}: ${named} of ${plural(added, 'line')}, ${stateTexts[state]}`;
  if (state !== 'new' && state !== 'changed') return [reason === undefined ? head : `${head}: ${reason}`];
  const entries = [...log.files].flatMap(([path, attestations]) =>
    attestations.map(({ key, ranges }) => {
      const record = recordOf(log, key) ?? {};
      const { tool, model, id } = isObject(record.agent_id) ? record.agent_id : { tool: record.author };
      const who = [tool, model, id].map((part) => harmlessLine(String(part ?? ''), 40)).filter(Boolean);
      return `  ${harmlessLine(path, 100)} ${harmlessLine(formatRanges(ranges), 60)} · ${who.join(', ')}`;
    }),
  );
  return [head, ...entries];
}

function exportTraces(app: App, attributed: CommitAttribution[]): Outcome {
  const records = attributed
    .filter(({ log }) => log.files.size > 0)
    .map((each) => agentTraceOf(each, app.version));
  return {
    value: { records },
    text: records.map((record) => JSON.stringify(record)).join('\n'),
    isVerbatim: true,
  };
}
