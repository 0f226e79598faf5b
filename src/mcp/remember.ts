import { z } from 'zod';
import { namesIn } from '../distil/statement-values.ts';
import { type Claim, type StatementCheck, verifyStatement } from '../distil/verify-statement.ts';
import { findNote, shortNoteId } from '../domain/note.ts';
import { anchorsFromUser } from '../drift/anchors-from-user.ts';
import { type SavedStatement, saveAgentStatement } from '../memory/notes/agent-statement.ts';
import { earlierStatements, settledOnTopic } from '../memory/notes/topic.ts';
import { projectRedactor } from '../memory/redact/project-redactor.ts';
import { clearReminder } from '../memory/reminder.ts';
import { readSessionExchanges } from '../memory/sessions/session-exchanges.ts';
import { harmlessLine } from '../text/fence.ts';
import { newNoteShape } from '../wire/note.ts';
import { alwaysLoad, runTextTool, schemaForListing, type ToolServer } from './answer.ts';
import { isInCheckout, knownNames } from './known-names.ts';
import type { McpParts } from './parts.ts';
import { callSessionOf } from './record-answers.ts';

const { text: statement, kind, files } = newNoteShape;
const quote = z.string().max(2000).optional();
const replaces = z.string().max(100).optional();

/** What models are shown: only the kinds that a statement of a user has, because every word costs tokens. */
const listed = z.object({
  topic: z.string().describe('Such as "package manager"'),
  statement: z.string().describe("What holds now and why, in the user's words"),
  quote: quote.describe('Their exact words, such as "yes, that one"'),
  replaces: replaces.describe('Note id'),
  kind: z.enum(['decision', 'convention', 'preference', 'fact', 'open', 'failed-path']).optional(),
  files: z.array(z.string()).optional(),
});
/** What is accepted. Earlier versions had `text` for `statement`, and no topic. */
const accepted = z.object({
  topic: z.string().max(200).optional(),
  statement: statement.optional(),
  text: statement.optional(),
  quote,
  replaces,
  kind,
  files,
});
const schema = accepted.refine((given) => (given.statement ?? given.text) !== undefined, {
  error: 'give a statement',
  path: ['statement'],
});

export function registerRemember(server: ToolServer, parts: McpParts): void {
  server.registerTool(
    'remember',
    {
      description:
        'When the user settles, changes or withdraws something lasting. If quoted, it holds at once; else it waits for review.',
      inputSchema: schemaForListing(listed),
      annotations: { destructiveHint: false, openWorldHint: false },
      _meta: alwaysLoad,
    },
    (given, call) =>
      runTextTool(schema, given, async (wanted) => {
        parts.ensureActive();
        const context = await parts.context(callSessionOf(call));
        const redactor = projectRedactor(parts.project);
        const clean = (text: string): string => redactor.redact(text).trim();
        const said = {
          // A topic is a name, so it needs no punctuation: "SQL style: commas".
          topic: harmlessLine(clean(wanted.topic ?? '').replace(/[.:;!]+(?=\s|$)/g, ''), 200),
          statement: clean(wanted.statement ?? wanted.text ?? ''),
          quote: clean(wanted.quote ?? ''),
        };
        const { check, sources } = await checkStatement(parts, context.agentSession, said, wanted.replaces);
        // The user confirmed the statement, not the files, so a confirmed note names only files that exist.
        const named = (wanted.files ?? []).filter((name) => !check.isVerified || isInCheckout(name, parts));
        const saved = await saveAgentStatement(
          {
            notes: parts.project.notes,
            log: parts.project.log,
            context,
            userHome: parts.userHome,
            clock: parts.clock,
            redactor,
          },
          {
            text: check.statement,
            topic: said.topic,
            quote: check.isVerified ? check.quote : said.quote,
            kind: wanted.kind,
            replaces: wanted.replaces ?? '',
            concepts: [],
            ...(await anchorsFromUser(named, parts.checkedCode, context.head)),
            author: context.agent,
            derivedFrom: sources,
          },
          { unverified: check.why, isQuoted: check.exchange !== -1 },
        );
        clearReminder(parts.project.paths.project(parts.project.project).reminders, context.agentSession);
        return answerOf(saved, check.statement === said.statement);
      }),
  );
}

/** Compares a statement with the exchange between the user and the calling session. */
async function checkStatement(
  parts: McpParts,
  agentSession: string,
  said: Claim,
  replaces = '',
): Promise<{ check: StatementCheck; sources: string[] }> {
  const { exchanges, earlier } =
    said.quote === ''
      ? { exchanges: [], earlier: [] }
      : await readSessionExchanges(parts.project, agentSession, `${said.topic} ${said.statement}`);
  const known = exchanges.length === 0 ? new Set() : await knownNames(namesIn(said.statement), parts);
  const check = verifyStatement(said, {
    exchanges,
    earlier,
    onTopic: await settledBefore(parts, said.topic, replaces),
    isKnownName: (name) => known.has(name),
  });
  const at = exchanges[check.exchange];
  const events = [at?.event ?? '', check.isAssent ? (at?.answer ?? '') : ''];
  return { check, sources: check.isVerified ? events.filter((id) => id !== '') : [] };
}

/**
 * The user's earlier statements on the topic or of the note that is replaced. "Put it back" may mean any of them, so
 * what they name may be named again.
 */
async function settledBefore(parts: McpParts, topic: string, replaces: string): Promise<string[]> {
  const notes = await parts.project.notes.list();
  const named = replaces === '' ? undefined : findNote(notes, replaces);
  const linked = named === undefined ? [] : [named, ...earlierStatements(named, notes)];
  const settled = [...linked.filter(({ trust }) => trust >= 2), ...settledOnTopic(topic, notes)];
  return [...new Set(settled)].map(({ text, quote: words = '' }) => `${text}\n${words}`);
}

function answerOf({ note, isKnown, replaced, doubted, why }: SavedStatement, isWhole: boolean): string {
  const id = shortNoteId(note.id);
  if (isKnown && note.state === 'active') return `Already a note, id ${id}.`;
  if (why !== '')
    return `${isKnown ? 'Already saved' : 'Saved'} as a candidate, id ${id}, which waits for the user's review. ${why}${doubted.length === 0 ? '' : ` Until then, no session is told ${doubted.map((one) => `[${shortNoteId(one.id)}]`).join(', ')} either.`}`;
  const old = replaced.map((one) => `[${shortNoteId(one.id)}] ${harmlessLine(one.title, 80)}`);
  return `Remembered, id ${id}: every new session is told${isWhole ? '' : ` only what the user said, "${harmlessLine(note.text, 200)}"`}.${old.length === 0 ? '' : ` It replaces ${old.join(', ')}.`}`;
}
