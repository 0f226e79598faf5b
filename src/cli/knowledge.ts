import { createTwoFilesPatch } from 'diff';
import { entryAt, readCheckoutText } from '../base/checkout-file.ts';
import { AppError } from '../base/errors.ts';
import { isEverywhere, isForeign, isFromTeam, type Note, shortNoteId } from '../domain/note.ts';
import { type MergedKnowledge, mergeLines } from '../knowledge/merge-lines.ts';
import { commandSection, statementSections, type WantedSection } from '../knowledge/wanted-lines.ts';
import { cleanForRepository } from '../memory/notes/share.ts';
import { readBuried } from '../memory/notes/tombstones.ts';
import { readObserved } from '../memory/prelude/command-lines.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { projectRedactor } from '../memory/redact/project-redactor.ts';
import {
  agentFiles,
  formatKnowledge,
  type KnowledgeFile,
  knowledgePath,
  parseKnowledge,
} from '../store/repo/knowledge-file.ts';
import { writeInside } from '../store/repo/repo-folder.ts';
import { harmless } from '../text/fence.ts';
import { plural } from '../text/plural.ts';
import { type App, type Command, isSet, type Outcome, stringOf } from './command.ts';
import { repositoryRoot } from './share.ts';

const maxBytes = 1024 * 1024;
const contextLines = 1;

export const knowledgeCommand: Command = {
  name: 'knowledge',
  usage: 'knowledge [--into FILE] [--dry-run | --yes]',
  summary:
    'Propose a diff of one Markdown file with what is settled here, and with commands that work. You accept it.',
  group: 'Memory',
  options: {
    into: {
      about: `Write a marked section of this file instead of ${knowledgePath}.`,
      value: 'FILE',
      choices: agentFiles,
    },
    'dry-run': { about: 'Show the diff, and write nothing.' },
    yes: { about: 'Do not ask.' },
  },
  needsPerson: ({ values }) => (values.yes === true ? 'Writing the knowledge file' : undefined),
  async run(app, args) {
    const path = stringOf(args, 'into') ?? knowledgePath;
    if (args.positionals.length > 0)
      throw new AppError('INVALID_ARGUMENT', `knowledge takes only --into ${agentFiles.join(' or ')}`, {
        hint: 'backstory knowledge',
      });
    const root = repositoryRoot(app);
    const proposal = await propose(app, root, path);
    const { diff, next, remarks } = proposal;
    const answer = (isWritten: boolean, text: string, exitCode: 0 | 1 = 0): Outcome => ({
      value: { path, isWritten, diff, edited: proposal.edited, deleted: proposal.deleted },
      text: [...(app.isInteractive && isWritten ? [] : diff === '' ? [] : [diff]), text, ...remarks].join(
        '\n',
      ),
      exitCode,
    });
    if (diff === '') return answer(false, `${path} is up to date.`);
    if (!isSet(args, 'yes')) {
      const isAsked = !isSet(args, 'dry-run') && app.isInteractive && app.caller().kind === 'person';
      if (!isAsked)
        return answer(
          false,
          `Nothing was written. To write it, at a terminal: backstory ${commandFor(path)}`,
        );
      const key = await app.key(`${diff}\n\nWrite ${path}? [y]es [n]o `, 'ynq');
      if (key !== 'y') return answer(false, 'Nothing was written.', 1);
    }
    if (readText(root, path) !== proposal.before)
      throw new AppError('CONFLICT', `${path} was changed meanwhile`, {
        hint: `backstory ${commandFor(path)}`,
      });
    writeInside(root, path, next);
    return answer(true, `Wrote ${path}. Commit it to share it.`);
  },
};

const commandFor = (path: string): string => `knowledge${path === knowledgePath ? '' : ` --into ${path}`}`;

/** `diff` is without the list of ids at the end of the file, and empty if nothing else changes. */
async function propose(app: App, root: string, path: string) {
  const place = app.place();
  const parts = app.open(place.project);
  const notes = await parts.notes.list();
  const sections = [
    ...statementSections(notes, place.project),
    commandSection(readObserved(app.paths.project(place.project))),
  ];
  const before = readText(root, path);
  const opening = path === knowledgePath ? `# What is settled in ${place.name}\n\n` : '';
  const file = parseKnowledge(before ?? opening, path);
  const merged = mergeLines(file, cleaned(app, parts, sections), isOverIn(parts, notes));
  const shown = (own: KnowledgeFile): string =>
    harmless(formatKnowledge({ ...own, written: new Map(), lineEnd: '\n' }));
  const known = before === undefined ? '' : shown(file);
  const options = { context: contextLines };
  const patch = createTwoFilesPatch(path, path, known, shown(merged.file), '', '', options);
  const isSame = file.lines.join('\n') === merged.file.lines.join('\n');
  const { edited, deleted } = merged;
  return {
    before,
    next: formatKnowledge(merged.file),
    diff: isSame ? '' : patch.replace(/^Index.*\n=+\n/, '').trimEnd(),
    edited,
    deleted,
    remarks: remarksOn(merged, notes).map((text) => app.style.dim(text)),
  };
}

const cleaned = (app: App, parts: OpenProject, sections: WantedSection[]): WantedSection[] => {
  const own = { redactor: projectRedactor(parts), userHome: app.userHome };
  const clean = (text: string): string => cleanForRepository(own, text);
  return sections.map(({ title, lines }) => ({
    title,
    lines: lines.map((line) => ({ ...line, text: clean(line.text), before: (line.before ?? []).map(clean) })),
  }));
};

/** A statement that the user wrote or said here and that is not proposed no longer holds; nor does a forgotten one. */
function isOverIn(parts: OpenProject, notes: Note[]): (id: string) => boolean {
  const own = new Set(notes.filter((note) => !isForeign(note)).map(({ id }) => shortNoteId(id)));
  let isBuried: ReturnType<typeof readBuried> | undefined;
  return (id) => {
    if (own.has(id)) return true;
    isBuried ??= readBuried(parts);
    return isBuried({ id, text: '' });
  };
}

function remarksOn({ edited, deleted }: MergedKnowledge, notes: Note[]): string[] {
  const told = notes.filter(({ state, trust }) => state === 'active' && trust >= 2);
  const leftOut = [
    [told.filter(isEverywhere).length, 'for every project, which is yours alone'],
    [told.filter(isFromTeam).length, 'of a teammate'],
    [
      notes.filter(({ state, kind }) => state === 'candidate' && kind !== 'summary').length,
      'not confirmed yet: backstory review',
    ],
  ] as const;
  const lines = (count: number): string => plural(count, 'line');
  return [
    ...(edited.length === 0 ? [] : [`Edited by hand and kept: ${lines(edited.length)}.`]),
    ...(deleted.length === 0 ? [] : [`Deleted by hand and not proposed again: ${lines(deleted.length)}.`]),
    ...leftOut.flatMap(([count, which]) =>
      count === 0 ? [] : [`Left out: ${plural(count, 'note')} ${which}.`],
    ),
  ];
}

/** Returns the text of the file; undefined if there is none. Refuses links, folders and files that are too large. */
function readText(root: string, path: string): string | undefined {
  const kind = entryAt(root, path);
  const text = kind === 'file' ? readCheckoutText(root, path, maxBytes) : undefined;
  if (kind === 'none' || text !== undefined) return text;
  throw new AppError('INVALID_ARGUMENT', `${path} is a link, is not a regular file, or is larger than 1 MB`, {
    hint: 'Choose another file: backstory knowledge --into AGENTS.md',
  });
}
