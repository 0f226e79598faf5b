import { z } from 'zod';
import { changeAnswer } from '../src/wire/answers/change.ts';
import * as code from '../src/wire/answers/code.ts';
import { count, isoTime as iso, text, time } from '../src/wire/answers/fields.ts';
import * as memory from '../src/wire/answers/memory.ts';
import * as project from '../src/wire/answers/project.ts';
import * as teamAnswers from '../src/wire/answers/team.ts';

/**
 * The JSON output of each command with --json. Answers that routes give too have their schemas in src/wire/answers.
 * docs/reference is generated from these schemas, and test/e2e/json.test.ts checks the output of the installed commands
 * against them: an undocumented field fails.
 */
const event = {
  v: count,
  id: text,
  at: iso,
  seq: count,
  device: text,
  actor: text,
  agent: text,
  agentVersion: text,
  agentSession: text,
  parentAgent: text.optional(),
  clientPid: count,
  org: text.optional(),
  project: text,
  checkout: text,
  branch: text,
  head: text,
  kind: text,
  origin: text,
  trust: z.number(),
  source: z.strictObject({ file: text, offset: count }).optional(),
  body: z.record(text, z.unknown()).describe('depends on the kind'),
};

const drift = memory.drift.optional();

const { isGuess: _, path, ...symbol } = code.definitions.sent.shape.items.element.shape;
const { definitions: _definitions, isFolded: _isFolded, ...foundInCode } = code.definitions.printed.shape;

const outline = z.strictObject({
  symbols: z.array(z.strictObject(symbol)),
  how: z.enum(['parsed', 'lines']),
  reason: z.enum(['no_parser', 'too_large', 'too_late']).optional(),
  language: text.optional(),
  lineCount: count,
  path,
});

const references = z.strictObject({
  files: z.array(
    z.strictObject({
      path,
      references: z.array(
        z.strictObject({
          line: count,
          column: count,
          role: z.enum(['definition', 'call', 'import', 'mention', 'text']),
          within: text,
          text,
          matchAt: count,
        }),
      ),
    }),
  ),
  skipped: count.describe('in comments and strings'),
  lineCount: count,
  ...foundInCode,
});

const entries = z.strictObject({
  hookCommand: text,
  hook: z.array(text),
  recall: z.array(text),
  plugins: text,
  server: z.strictObject({ command: text, args: z.array(text) }),
  skill: z.strictObject({ folder: text, command: text }).optional(),
  allow: z.array(text).optional().describe('MCP tools that the agent may call without asking'),
  trust: z.record(text, z.unknown()).optional(),
});
const wish = {
  agent: text,
  scope: z.enum(['user', 'project']),
  surface: text,
  tools: text,
  allowTools: z.enum(['yes', 'no']).optional(),
};
const brief = { sessionId: text, goal: text, brief: text, tokens: count };
const next = z.array(z.strictObject({ command: text, reason: text })).describe('the commands to run next');
const skipped = z.array(z.strictObject({ cwd: text, reason: text }));
const projectRecord = z.strictObject({
  v: count,
  id: text,
  name: text,
  keys: z.array(text),
  paths: z.array(text),
  commits: z.array(text).optional().describe('commits seen in its checkouts'),
  created: iso,
});
const settings = z.array(z.strictObject({ key: text, value: z.unknown(), from: text, meaning: text }));

const earlierStatement = z.strictObject({ id: text, text, validFrom: text, validTo: text });
const repositoryPath = text.describe('relative to the root of the repository');

export const jsonShapes: Record<string, z.ZodType> = {
  recall: z.strictObject({ hits: memory.recallPage.shape.items, ...memory.recallFields }),
  why: z.union([memory.whyAnswer, changeAnswer]),
  show: z.union([
    z.array(
      z.union([
        memory.note.extend({
          path: text,
          earlier: z.array(earlierStatement).optional(),
          standing: z.strictObject(memory.standing),
          drift,
        }),
        z.strictObject({ ...event, drift }),
        teamAnswers.cachedMemory.extend({ team: text.describe('name of the team') }),
      ]),
    ),
    z.strictObject({
      anchor: memory.timelinePage.shape.anchor,
      chunks: memory.timelinePage.shape.items,
    }),
  ]),
  remember: memory.createdNote.extend({ path: text }),
  edit: z.union([memory.note, memory.correction]),
  enforce: z.union([memory.note, z.array(memory.note)]),
  review: z.union([
    z.strictObject({
      candidates: z.array(memory.note),
      changes: memory.reviewDesk.shape.changes,
      doubtful: project.statusFields.doubtfulApprovals,
      unconfirmed: count.describe('prompts about which `backstory import` asks a person'),
    }),
    z.strictObject({ accepted: count, edited: count, rejected: count }),
  ]),
  learn: z.union([
    z.strictObject({
      run: text,
      of: count.describe('sessions that the person confirmed'),
      read: count.describe('sessions'),
      statements: count,
      told: count,
      failed: count.describe('calls'),
      calls: count,
      tokens: count,
      usd: z.number(),
    }),
    z.strictObject({ sessions: count, tokens: count, usd: z.number() }).describe('nothing was sent'),
    z.strictObject({ run: text, notes: count }).describe('--undo'),
    z
      .strictObject({
        model: z.enum(['on', 'off']),
        asked: count.describe('sessions'),
        notes: count,
        confirmed: count.describe('statements that the second call judged'),
        failed: count,
        refused: text.optional().describe('why it stopped early'),
      })
      .describe('--retry'),
  ]),
  share: z.union([
    z.array(z.strictObject({ id: text, path: repositoryPath, isRedacted: z.boolean() })),
    z.strictObject({
      shared: z.array(
        z.strictObject({ id: text, path: repositoryPath, title: text, author: text, state: text }),
      ),
      unreadable: z.array(text),
    }),
    z.array(z.strictObject({ id: text, path: repositoryPath })),
    z.strictObject({ trusted: z.array(text).describe('ids of notes') }),
  ]),
  knowledge: z.strictObject({
    path: repositoryPath,
    isWritten: z.boolean(),
    diff: text.describe('empty if the file is up to date'),
    edited: z.array(text).describe('ids of lines that were edited by hand'),
    deleted: z.array(text).describe('ids of lines that were deleted by hand'),
  }),
  team: z.union([
    z.strictObject({ joined: z.literal(false) }),
    z.strictObject({
      joined: z.literal(true),
      v: count,
      url: text,
      project: text.describe('project id on the server'),
      name: text,
      server: text,
      lastExchange: iso.nullable(),
      lastFailure: text.nullable(),
      shared: count,
      queued: count,
      fromTeam: count,
      toReview: count,
      reportsSince: iso.optional().describe('after `backstory team report on`'),
    }),
    z.strictObject({
      reports: z.enum(['on', 'off']).describe('with `report`'),
      since: iso.nullable(),
      reported: count.describe('sessions'),
    }),
  ]),
  forget: memory.forgotten,
  prelude: memory.prelude,
  search: z.union([
    code.codeSearch.printed,
    code.codeFiles.printed,
    code.pack,
    outline,
    code.definitions.printed,
    references,
  ]),
  pr: z.strictObject({ base: text, head: text, markdown: text }),
  handoff: z.union([
    z.strictObject({
      snapshotId: text,
      ...brief,
      snapshotDir: text,
      target: text,
      exit: count.optional().describe('exit code of the agent, with --start'),
    }),
    z.strictObject({ snapshotId: text, ...brief, staleFiles: z.array(text) }),
    z.strictObject(brief),
    z.strictObject({ removed: z.boolean() }),
  ]),
  install: z.array(
    z.strictObject({
      ...wish,
      at: iso.optional(),
      version: text.optional(),
      node: text.optional(),
      entries,
      files: z.array(
        z.strictObject({
          path: text,
          holds: z.enum(['hooks', 'plugin', 'server', 'allowed', 'trust', 'skill']),
          existed: z.boolean().optional(),
          afterHash: text.optional(),
          undo: z.array(z.strictObject({ offset: count, length: count, content: text })).optional(),
          containers: z.array(text).optional(),
          madeFolders: z.array(text).optional(),
        }),
      ),
    }),
  ),
  uninstall: z.strictObject({
    files: z.array(
      z.strictObject({
        path: text,
        holds: text,
        result: z.enum(['restored', 'entries-removed', 'gone-already', 'kept']),
      }),
    ),
  }),
  import: z.union([
    z.strictObject({
      projects: z.array(
        z.strictObject({
          project: text,
          name: text,
          root: text,
          transcripts: count,
          bytes: count,
          prompts: count.describe("prompts in Claude Code's history.jsonl that have no transcript"),
        }),
      ),
      skipped,
    }),
    z.strictObject({
      files: count,
      events: count.describe('from transcripts'),
      prompts: count.describe("from Claude Code's history.jsonl, without a transcript"),
      commits: count,
      readMs: z.number(),
      isComplete: z.boolean(),
      projects: count,
      skipped,
      unconfirmed: count.describe('prompts that wait until a person says whether they are theirs'),
      found: z.array(
        z.strictObject({
          project: text,
          folders: z.array(z.strictObject({ root: text, sessions: count, isDeleted: z.boolean() })),
          sessions: count,
          from: text,
          to: text,
          waiting: count,
          told: count,
        }),
      ),
      next,
    }),
    z.strictObject({ events: count }),
    z.strictObject({ tool: text, notes: count, events: count }),
    z.strictObject({ project: text, events: count, notes: count }),
  ]),
  doctor: z.union([
    z.strictObject({
      ok: z.boolean(),
      checks: z.array(
        z.strictObject({
          ...project.check,
          tokens: count.optional(),
        }),
      ),
      sessionTokens: count.describe('estimated tokens of a session before the first prompt'),
      next,
    }),
    z.strictObject({
      ok: z.boolean(),
      log: z.strictObject({
        damage: z.array(project.logDamage),
        tornWrites: count,
        files: count,
        bytes: count,
        coveredBytes: count.describe('bytes covered by the manifest'),
      }),
      recoverable: count.describe('events that can be recovered from the index'),
      notes: z.array(z.strictObject({ file: text, state: text, detail: text.optional() })),
      unreadableSnapshots: z.array(text),
      unreadableLedgerLines: count,
      unforgotten: z.array(text),
      index: z.enum(['fits', 'behind', 'missing', 'of-another-log']),
      fromFuture: z.record(text, count).describe('by file'),
    }),
    z.strictObject({
      projects: count,
      isDryRun: z.boolean(),
      findings: z.array(
        z.strictObject({
          file: text,
          rules: z.record(text, count).describe('number of secrets by rule'),
        }),
      ),
    }),
    z.strictObject({
      ran: z.boolean(),
      indexed: count,
      ingested: count,
      isComplete: z.boolean(),
      elapsedMs: z.number(),
    }),
    z.strictObject({ ...code.indexState, elapsedMs: z.number() }),
    z.array(z.record(text, z.unknown())),
  ]),
  status: z.union([
    z.strictObject({
      ...project.statusFields,
      linkOffer: z
        .strictObject({ project: text, name: text, command: text })
        .optional()
        .describe('a project that has the same remote or folder, but that no commit proves to be this one'),
      next,
      model: z.strictObject({
        chosen: text,
        today: project.spent,
        month: project.spent,
        failedSessions: z.array(
          z.strictObject({
            agentSession: text,
            at: time.describe('when the model was called'),
            until: time.describe('the time of the last event that it was sent'),
            why: text,
          }),
        ),
      }),
    }),
    project.stats,
  ]),
  capture: z.union([
    z.strictObject({
      project: text,
      capture: z.enum(['on', 'off']),
      reason: text.optional().describe('why it is off'),
    }),
    z.strictObject({ exclude: z.array(text) }),
    z.array(projectRecord),
    z.strictObject({ from: text, into: text }),
    projectRecord,
  ]),
  models: z.strictObject({
    chosen: text,
    since: iso.or(z.literal('')).describe('empty if no model was chosen'),
    ...project.spend.omit({ days: true, entries: true, model: true }).shape,
    found: z.array(z.strictObject({ name: text, what: text, where: text, isThere: z.boolean() })),
  }),
  ui: z.strictObject({
    url: text,
    mayApprove: z.boolean().describe('whether the opened viewer may approve, edit and delete'),
  }),
  config: settings,
  attribution: z.union([
    z.strictObject({
      written: count.describe('number of notes'),
      commits: z.array(
        z.strictObject({
          commit: text,
          added: count.describe('lines that the commit adds'),
          named: count.describe('those whose author the note names'),
          state: z.enum(['new', 'changed', 'same', 'none', 'left']),
          reason: text.optional().describe('why an existing note is left as it is'),
          note: text.describe('empty if no author is known'),
        }),
      ),
    }),
    z.strictObject({ records: z.array(z.record(text, z.unknown())).describe('Agent Trace 0.1.0') }),
  ]),
  export: z.strictObject({ file: text, events: count, notes: count }),
};
