import { z } from 'zod';
import { entryAt } from '../base/checkout-file.ts';
import { labelOf, maxReadingLength, type Proof, proveStatement } from '../distil/prove-statement.ts';
import { type Match, type MatcherKind, matcherKinds } from '../domain/match.ts';
import { noteKinds, shortNoteId } from '../domain/note.ts';
import { topicKinds } from '../domain/topic-kind.ts';
import { anchorsFromUser } from '../drift/anchors-from-user.ts';
import { mayBeReplaced, type SavedStatement, saveAgentStatement } from '../memory/notes/agent-statement.ts';
import { provePast } from '../memory/notes/learn-from-digests.ts';
import { notePartsOf } from '../memory/notes/note-parts.ts';
import { repositoryFileWith, withoutRepositoryText } from '../memory/notes/repository-text.ts';
import { projectRedactor } from '../memory/redact/project-redactor.ts';
import { redactionLine } from '../memory/redact/redacted-kinds.ts';
import { checkMatch, maxMatcherLength } from '../memory/rules/check-match.ts';
import { readSessionExchanges } from '../memory/sessions/session-exchanges.ts';
import { harmlessLine } from '../text/fence.ts';
import { alwaysLoad } from './answer.ts';
import type { McpParts } from './parts.ts';
import { callSessionOf } from './record-answers.ts';
import { textTool } from './tool.ts';

/** What models are shown: only the kinds that a statement of a user has, because every word costs tokens. */
const listed = z.object({
  topic: z.string().describe('≤ 4 words'),
  quote: z.string().describe("User's exact words"),
  reading: z.string().optional().describe('Unclear quote in plain words'),
  proposal: z.string().optional().describe('Your words, if the quote accepts them'),
  replaces: z.string().optional().describe('Note id'),
  prompt: z.string().optional().describe('Id, if of a past session'),
  kind: z.enum(topicKinds).optional(),
  files: z.array(z.string()).optional(),
  match: z
    .any()
    .optional()
    .meta({ type: 'object', description: 'Calls it forbids {command|path|package|text}' }),
});
const text = z.string().max(2000).default('');
const schema = z.object({
  topic: z.string().max(200).default(''),
  quote: text,
  reading: z.string().max(maxReadingLength).default(''),
  proposal: text,
  replaces: z.string().max(100).default(''),
  prompt: z.string().max(100).default(''),
  kind: z.enum(noteKinds).optional(),
  files: z.array(z.string()).max(20).default([]),
  match: z.partialRecord(z.enum(matcherKinds), z.string().max(maxMatcherLength)).optional(),
});

export const remember = textTool({
  name: 'remember',
  description:
    'When the user settles, changes or withdraws something lasting. New sessions are told the quote.',
  schema,
  listed,
  annotations: { destructiveHint: false, openWorldHint: false },
  _meta: alwaysLoad,
  async answer(parts, wanted, call) {
    parts.ensureActive();
    const context = await parts.context(callSessionOf(call));
    const redactor = projectRedactor(parts.project);
    const clean = (value: string): string => redactor.redact(value).trim();
    const claim = {
      topic: labelOf(harmlessLine(clean(wanted.topic), 200)) ?? '',
      quote: clean(wanted.quote),
      reading: clean(wanted.reading),
      proposal: clean(wanted.proposal),
    };
    const past = wanted.prompt === '' ? undefined : await provePast(parts.project, wanted.prompt, claim);
    const exchanges =
      past === undefined ? await readSessionExchanges(parts.project, context.agentSession) : [past.said];
    const proved = past?.proof ?? proveStatement(claim, exchanges);
    const at = past?.said ?? exchanges[proved.exchange];
    const proof = await withoutRepositoryText(
      repositoryFileWith(parts.project),
      proved,
      Date.parse(at?.at ?? ''),
    );
    const events = [at?.event ?? '', proof.proposal === '' ? '' : (at?.answer ?? '')];
    // The user said the sentence, not the files, so only files that exist are named.
    const named = wanted.files.filter((name) => isInCheckout(name, parts));
    const saved = await saveAgentStatement(
      { ...notePartsOf(parts.project, context), redactor },
      {
        topic: claim.topic,
        kind: wanted.kind,
        replaces: wanted.replaces,
        proposedMatch: matchOf(wanted.match),
        concepts: [],
        ...(await anchorsFromUser(named, parts.checkedCode, context.head)),
        author: context.agent,
        derivedFrom: events.filter((id) => id !== ''),
        ...(past === undefined ? {} : { learned: { run: past.run, at: past.said.at } }),
      },
      proof,
    );
    const given = [wanted.quote, wanted.reading, wanted.proposal].join('\n');
    const kept = [claim.quote, claim.reading, claim.proposal].join('\n');
    const proposed = saved.note.proposedMatch === undefined ? '' : ' Its match waits for their review.';
    const { note, isKnown, replaced } = saved;
    return {
      text: `${answerOf(saved, proof)}${proposed} ${redactionLine(given, kept)}`.trim(),
      record: { id: note.id, state: note.state, is_known: isKnown, replaced: replaced?.id },
    };
  },
});

/** Models fill in fields that they do not need with empty texts. */
function matchOf(given: Partial<Record<MatcherKind, string>> = {}): Match | undefined {
  const named = Object.entries(given).filter(([, value]) => value.trim() !== '');
  return named.length === 0
    ? undefined
    : checkMatch(Object.fromEntries(named.map(([kind, value]) => [kind, [value]])));
}

/** Accepts a path, or a path with lines: `src/load.ts:3-9`. */
const isInCheckout = (name: string, { root }: McpParts): boolean =>
  ['file', 'folder'].includes(entryAt(root, name.replace(/^\.\//, '').replace(/:\d+(?:-\d+)?$/, '')));

const maxShownLength = 200;

function answerOf({ note, isKnown, replaced, wouldReplace }: SavedStatement, { form, why }: Proof): string {
  const id = shortNoteId(note.id);
  const said = harmlessLine(note.text, maxShownLength);
  if (isKnown && note.state !== 'candidate') return `Already a note, id ${id}.`;
  if (note.learnedIn !== undefined)
    return `${isKnown ? 'Already saved' : 'Saved'}, id ${id}; it waits for the user's review, and no session is told it.`;
  if (form === 'reading')
    return `${isKnown ? 'Already saved' : 'Saved'}, id ${id}; it waits, and no session is told it. ${why} To have it told, end your reply with exactly one question, "Remember: ${said}${wouldReplace === undefined ? '' : ` instead of ${harmlessLine(wouldReplace.text, maxShownLength)}`}?", and after the answer call remember again with that line as proposal.`;
  const told = form === 'quote' ? `"${said}"` : 'your question with their answer';
  const old =
    replaced !== undefined
      ? ` It replaces [${shortNoteId(replaced.id)}].`
      : wouldReplace === undefined
        ? ''
        : !mayBeReplaced(wouldReplace)
          ? ` [${shortNoteId(wouldReplace.id)}] stays; only the user can replace it.`
          : ` [${shortNoteId(wouldReplace.id)}] stays until the user confirms the change: ask "Remember: ${said} instead of ${harmlessLine(wouldReplace.text, maxShownLength)}?"`;
  return `Remembered, id ${id}: new sessions are told ${told}, with the date.${old}`;
}
