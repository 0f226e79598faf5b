import { localDay } from '../../base/clock.ts';
import { type Chunk, type ChunkFilter, isSetAside } from '../../domain/chunk.ts';
import { isDialog } from '../../domain/event.ts';
import { type Evidence, evidenceIn } from '../../recall/evidence.ts';
import { isGone, type UnindexedEvents, unindexedChunks } from '../../recall/unindexed-events.ts';
import type { LogIndex } from '../../store/store.ts';
import { harmlessLine } from '../../text/fence.ts';
import { surelyTyped } from '../../text/prompt-blocks.ts';
import { editedName, safeName } from '../../text/safe-name.ts';
import { hasUnexplainedWord } from '../redact/random-word.ts';
import type { ContextLine } from './answer-prompt.ts';
import { isRequest, namedIssues, questionOf } from './request.ts';

/** How many texts with the number of an issue are looked at. Most of them have it for another reason. */
const maxLookedUp = 200;
const maxCommits = 3;
const maxPrompts = 2;
const maxFiles = 4;
const maxQuote = 260;
const chunksPerTurn = 80;

interface IssueQuestion {
  agentSession: string;
  told: ReadonlySet<string>;
  isFile(path: string): boolean;
}

/** What is known here about these issues: commits and earlier prompts of the user that name one, newest first. */
export async function issueLines(
  issues: string[],
  { index, tail }: { index: LogIndex; tail: UnindexedEvents },
  { agentSession, told, isFile }: IssueQuestion,
): Promise<ContextLine[]> {
  const naming = async (filter: ChunkFilter): Promise<Chunk[]> => {
    const indexed = (await index.search(issues, filter, maxLookedUp)).map(({ chunk }) => chunk);
    return [...indexed.filter((chunk) => !isGone(tail, chunk)), ...unindexedChunks(tail, filter)]
      .filter(({ text }) => namedIssues(text).some((issue) => issues.includes(issue)))
      .filter(
        (chunk) => chunk.agentSession !== agentSession && !told.has(chunk.sourceId) && !isSetAside(chunk),
      )
      .sort((a, b) => b.at - a.at);
  };
  const commits = (await naming({ kinds: ['commit'] })).slice(0, maxCommits);
  const prompts = (await naming({ kinds: ['prompt'], minTrust: 2 })).filter(mayQuote).slice(0, maxPrompts);
  const evidence = await evidenceIn(index, tail);
  const asked = await Promise.all(prompts.map((prompt) => promptLine(prompt, evidence, isFile)));
  const lines = [
    ...commits.map((chunk) => ({ text: commitLine(chunk), reason: 'a commit that names it' })),
    ...asked.map((text) => ({ text, reason: 'a prompt of yours that names it' })),
  ];
  return lines.map((line) => ({ section: 'Named in the prompt', ...line }));
}

/** A prompt that cannot be told whole may lose its condition. */
const mayQuote = ({ origin, text }: Chunk): boolean =>
  origin === 'user' &&
  questionOf(text).length <= maxQuote &&
  !isDialog({ text }) &&
  isRequest(text) &&
  surelyTyped({ text }).length > 0 &&
  !hasUnexplainedWord(questionOf(text));

/** What the user said, the files that were changed, and the id of the answer. */
async function promptLine(
  { at, id, turn, text }: Chunk,
  evidence: Evidence,
  isFile: (path: string) => boolean,
): Promise<string> {
  const chunks = await evidence.chunks({ turn }, chunksPerTurn, 'oldest');
  const { edits } = await evidence.ofTurns([turn]);
  const files = [...new Set(edits.map(({ path }) => path))].filter(isFile).slice(0, maxFiles);
  const answered = chunks.findLast(({ kind }) => kind === 'answer');
  const about = [
    ...(files.length === 0 ? [] : [`changed ${files.map((file) => editedName(file)).join(', ')}`]),
    ...(answered === undefined ? [] : [`the answer, not reviewed: ${answered.id.slice(0, 8)}`]),
  ];
  const more = about.length === 0 ? '' : ` (${about.join('; ')})`;
  return `${localDay(at)} you: "${harmlessLine(questionOf(text), maxQuote)}"${more} [${id.slice(0, 8)}]`;
}

/** A line about a commit: its hash and files. Nobody knows whose words its message has. */
export function commitLine({ at, id, paths, text }: Chunk): string {
  const [head] = text.split(':', 1);
  const files = paths.slice(0, maxFiles).map((file) => safeName('file', file));
  const changed = files.length === 0 ? '' : ` (changed ${files.join(', ')})`;
  return `${localDay(at)} ${head}${changed} [${id.slice(0, 8)}]`;
}
