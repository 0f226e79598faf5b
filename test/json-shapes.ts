import { z } from 'zod';
import { noteKinds, noteStates } from '../src/domain/note.ts';

/**
 * The JSON output of each command with --json. docs/reference is generated from these schemas, and
 * test/e2e/json.test.ts checks the output of the installed commands against them: an undocumented field fails.
 */
const text = z.string();
const count = z.number().int();
const millis = z.number().describe('milliseconds since 1970');
const iso = z.string().describe('ISO-8601');

const drift = z.strictObject({
  state: z.enum(['current', 'moved', 'changed', 'gone', 'elsewhere', 'unanchored', 'unchecked']),
  path: text.optional().describe('where the code is, or was'),
  from: count.optional(),
  to: count.optional(),
  symbol: text.optional(),
  was: text.optional().describe('the file before the move'),
  by: text.optional().describe('the commit that changed or removed it, or "uncommitted"'),
  branch: text.optional().describe('the branch that has the code'),
  keptLines: count.describe('number of lines that still exist'),
  of: count.describe('number of lines it was anchored to'),
});

const chunk = {
  id: text,
  project: text,
  source: z.enum(['event', 'note']),
  sourceId: text.describe('the event or note that contains it'),
  kind: text,
  origin: text.describe('user, assistant, tool, …'),
  trust: z.number().describe('3: you wrote it, 2: you approved it, 1: an agent, 0: others'),
  agent: text,
  agentSession: text,
  turn: text,
  branch: text,
  at: millis,
  paths: z.array(text),
  concepts: z.array(text),
  pinned: z.boolean(),
  topic: text.optional().describe('what the statement of a note is about'),
  text,
};

const note = {
  id: text,
  kind: z.enum(noteKinds),
  title: text,
  state: z.enum(noteStates),
  trust: z.number(),
  pinned: z.boolean(),
  concepts: z.array(text),
  files: z.array(text),
  created: iso,
  updated: iso,
  rev: count,
  parents: z.array(text),
  author: text,
  visibility: z.enum(['private', 'team']),
  validFrom: text,
  validTo: text,
  derivedFrom: z.array(text).describe('ids of events and notes'),
  anchors: z.array(text).optional().describe('lines of code it is anchored to'),
  topic: text.optional().describe('what it is about'),
  quote: text.optional().describe('the words of the user on which it is based'),
  replaces: z.array(text).optional().describe('ids of the notes that it replaced'),
  everywhere: z
    .array(text)
    .optional()
    .describe('set for a note for every project: day, project and note of each statement'),
  text,
};

const statement = z.strictObject({ id: text, text, validFrom: text, validTo: text });

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

const arm = z.enum(['answered', 'empty', 'failed', 'unused']);
const route = z.strictObject({ strategy: text, reason: text });
const indexState = {
  isIndexed: z.boolean(),
  indexedFiles: count,
  indexBytes: count,
  updated: millis.optional(),
  generation: count,
  dirtyFiles: count,
  dirtySinceMs: z.number(),
  isWatched: z.boolean(),
  isWriter: z.boolean(),
  isBuilding: z.boolean(),
};
const searched = {
  state: z.strictObject(indexState),
  filesKnown: count,
  nextOffset: count.optional().describe('offset of the next page'),
};
const symbol = {
  name: text,
  kind: text,
  container: text,
  startLine: count,
  endLine: count,
  line: count,
  column: count,
  signature: text,
};
const coverage = z.strictObject({ filesWithName: count, parsed: count, byLines: count, notRead: count });
const said = z.strictObject({ id: text, at: millis, by: text, text });
const failedPath = z.strictObject({
  path: text,
  agent: text,
  agentSession: text,
  at: millis,
  lines: count,
  prompt: said.optional(),
  verdict: said.optional(),
  failure: said.optional(),
});
const fileReader = z.strictObject({
  path: text,
  agent: text,
  agentSession: text,
  at: millis.describe('when the session last read it'),
  asked: said.optional().describe('the first request of the session'),
  outcome: said.optional().describe('what was done and how it ended'),
});
const savings = {
  rereadsAvoided: count,
  rereadTokens: count,
  searchesAvoided: count,
  searchTokens: count,
  preludeTokens: count,
  answerTokens: count,
  answers: count,
  definitionTokens: count,
  netTokens: count,
};
const entries = z.strictObject({
  hookCommand: text,
  hook: z.array(text),
  recall: z.array(text),
  plugins: text,
  server: z.strictObject({ command: text, args: z.array(text) }),
  skill: z.strictObject({ folder: text, command: text }).optional(),
  trust: z.record(text, z.unknown()).optional(),
});
const wish = { agent: text, scope: z.enum(['user', 'project']), surface: text, tools: text };
const brief = { session_id: text, goal: text, brief: text, tokens: count };
const capture = z.strictObject({ project: text, capture: z.enum(['on', 'off']) });
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

const spent = z.strictObject({ tokens: count, usd: z.number(), calls: count });
const caps = z.strictObject({
  dailyTokens: count,
  monthlyTokens: count,
  dailyUsd: z.number(),
  monthlyUsd: z.number(),
});

const knowledge = z.strictObject({
  schema: count,
  project: text,
  summary: text,
  languages: z.array(text),
  commands: z.array(z.strictObject({ purpose: text, run: text, source: text })),
  architecture: z.array(z.strictObject({ title: text, text, source: text })),
  keyFiles: z.array(z.strictObject({ path: text, why: text, symbols: z.array(text) })),
  conventions: z.array(z.strictObject({ source: text, rules: z.array(text) })),
});
const repositoryPath = text.describe('relative to the root of the repository');

const logDamage = z.strictObject({
  kind: z.enum(['line', 'changed', 'shortened', 'missing', 'manifest']),
  file: text,
  detail: text,
  offset: count.optional(),
  length: count.optional(),
  line: count.optional().describe('starts at 1'),
  at: text.optional().describe('when it was detected'),
});

export const jsonShapes: Record<string, z.ZodType> = {
  recall: z.strictObject({
    hits: z.array(
      z.strictObject({
        ...chunk,
        preview: text.describe('at most 200 characters'),
        later: z.array(z.strictObject({ id: z.string(), at: z.number(), text: z.string() })).optional(),
        ranks: z.strictObject({ lexical: count.optional(), tail: count.optional(), dense: count.optional() }),
        score: z.number(),
        why: z.record(text, z.number()).describe('score of each signal'),
        drift: drift.optional(),
      }),
    ),
    failedPaths: z.array(failedPath).optional().describe('reverted attempts in the files of the question'),
    readers: z.array(fileReader).optional().describe('sessions that only read the file of the question'),
    match: z.enum(['good', 'weak', 'none']),
    arms: z.strictObject({ lexical: arm, tail: arm, dense: arm }),
    incomplete: z.boolean().describe('some of the newest events could not be searched'),
    truncated: z.boolean(),
  }),
  timeline: z.strictObject({
    anchor: z.strictObject(chunk).optional(),
    chunks: z.array(z.strictObject({ ...chunk, drift: drift.optional() })).describe('oldest first'),
  }),
  why: z.strictObject({
    path: text,
    from: count,
    to: count,
    origins: z.array(
      z.strictObject({
        lines: z.array(z.tuple([count, count])).describe('first and last line of each range'),
        count,
        text,
        commit: z
          .strictObject({ hash: text, at: millis, author: text, summary: text, message: text, path: text })
          .optional(),
        session: z
          .strictObject({
            agent: text,
            agentSession: text,
            turn: text,
            at: millis,
            branch: text,
            edit: text.describe('event id of the edit'),
          })
          .optional(),
        reason: z
          .strictObject({
            prompt: said.optional(),
            decisions: z.array(said),
            rejected: z.array(said),
            account: said.optional(),
            failures: z.array(said),
          })
          .optional(),
      }),
    ),
    notes: z.array(z.strictObject({ ...chunk, drift: drift.optional() })),
    failedPaths: z.array(failedPath),
  }),
  show: z.array(
    z.union([
      z.strictObject({
        ...note,
        path: text,
        earlier: z.array(statement).optional().describe('the notes that it replaced, newest first'),
        replacedBy: statement.optional(),
        drift: drift.optional(),
      }),
      z.strictObject({ ...event, drift: drift.optional() }),
    ]),
  ),
  remember: z.strictObject({ ...note, path: text }),
  edit: z.strictObject(note),
  wrong: z.strictObject({ withdrawn: z.strictObject(note), now: z.strictObject(note).optional() }),
  pin: z.strictObject(note),
  review: z.union([
    z.strictObject({
      candidates: z.array(z.strictObject(note)),
      contradictions: z.array(z.tuple([z.strictObject(note), z.strictObject(note)])),
    }),
    z.strictObject({ accepted: count, edited: count, rejected: count }),
  ]),
  distil: z.strictObject({
    model: z.enum(['on', 'off']),
    asked: count.describe('sessions'),
    notes: count,
    failed: count,
    refused: text.optional().describe('why it stopped early'),
  }),
  share: z.union([
    z.array(z.strictObject({ id: text, path: repositoryPath, isRedacted: z.boolean() })),
    z.strictObject({
      shared: z.array(
        z.strictObject({ id: text, path: repositoryPath, title: text, author: text, state: text }),
      ),
      unreadable: z.array(text),
    }),
  ]),
  unshare: z.array(z.strictObject({ id: text, path: repositoryPath })),
  trust: z.strictObject({ trusted: z.array(text).describe('ids of notes') }),
  knowledge: z.union([
    z.strictObject({ path: repositoryPath, isSame: z.boolean(), waiting: count, knowledge }),
    knowledge,
    z.array(z.strictObject({ path: repositoryPath, knowledge })),
    z.strictObject({
      url: text,
      name: text.describe('name of the project on the server'),
      kept: count,
      changed: count,
      removed: count,
    }),
  ]),
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
      bringsKnowledge: z.literal(true).optional().describe('after `backstory knowledge sync`'),
      wantsKnowledge: z.boolean().describe('a team member requested `backstory knowledge sync --fresh`'),
    }),
  ]),
  forget: z.strictObject({ events: count, notes: count }),
  prelude: z.strictObject({
    text,
    tokens: count,
    characters: count,
    lines: z.array(
      z.strictObject({ section: text, text, reason: text, note: text.optional().describe('id of the note') }),
    ),
    since: z.array(text),
    comparedWith: text.optional().describe('the checkout, if it is not the current one'),
  }),
  search: z.strictObject({
    files: z.array(
      z.strictObject({
        path: text,
        hits: z.array(
          z.strictObject({
            line: count,
            column: count,
            text,
            matchAt: count,
            isDefinition: z.boolean(),
            score: z.number(),
          }),
        ),
      }),
    ),
    lineCount: count,
    fileCount: count,
    isComplete: z.boolean().describe('false when the counts are lower bounds'),
    timedOut: z.boolean(),
    route,
    cost: z.strictObject({ candidates: count, blocksVerified: count }),
    ...searched,
  }),
  files: z.strictObject({
    files: z.array(z.strictObject({ path: text, reason: z.enum(['path_match', 'fuzzy_path_match']) })),
    total: count,
    ...searched,
  }),
  pack: z.strictObject({
    goal: text,
    intent: z.enum(['bugfix', 'review']),
    budgetTokens: count,
    maxFiles: count,
    changedFiles: z.array(text),
    estimatedTokens: count,
    items: z.array(
      z.strictObject({
        path: text,
        score: z.number(),
        reasons: z.array(text),
        snippets: z.array(z.strictObject({ line: count, column: count, preview: text })),
      }),
    ),
    notes: z.array(
      z.strictObject({
        id: text,
        kind: text,
        title: text,
        path: text,
        drift: text.optional().describe('as a sentence'),
      }),
    ),
    similarChanges: z.array(z.strictObject({ commit: text, title: text })),
    nextSteps: z.array(text),
    missing: z.array(z.enum(['git_history', 'memory'])),
    truncated: z.boolean(),
  }),
  outline: z.strictObject({
    symbols: z.array(z.strictObject(symbol)),
    how: z.enum(['parsed', 'lines']),
    reason: text.optional(),
    language: text.optional(),
    lineCount: count,
    path: text,
    filesKnown: count,
  }),
  definition: z.strictObject({
    definitions: z.array(z.strictObject({ ...symbol, path: text, isGuess: z.boolean() })),
    total: count,
    isFolded: z.boolean(),
    isComplete: z.boolean(),
    timedOut: z.boolean(),
    coverage,
    route,
    ...searched,
  }),
  references: z.strictObject({
    files: z.array(
      z.strictObject({
        path: text,
        references: z.array(
          z.strictObject({
            line: count,
            column: count,
            role: z.enum(['definition', 'call', 'import', 'mention']),
            within: text,
            text,
            matchAt: count,
          }),
        ),
      }),
    ),
    total: count,
    skipped: count.describe('in comments and strings'),
    lineCount: count,
    isComplete: z.boolean(),
    timedOut: z.boolean(),
    coverage,
    route,
    ...searched,
  }),
  handoff: z.strictObject({
    snapshot_id: text,
    ...brief,
    snapshot_dir: text,
    target: text,
    exit: count.optional().describe('exit code of the agent, with --start'),
  }),
  resume: z.strictObject({ snapshot_id: text, ...brief, stale_files: z.array(text) }),
  brief: z.union([z.strictObject(brief), z.strictObject({ removed: z.boolean() })]),
  install: z.strictObject({
    ...wish,
    at: iso.optional(),
    version: text.optional(),
    node: text.optional(),
    entries,
    files: z.array(
      z.strictObject({
        path: text,
        holds: z.enum(['hooks', 'plugin', 'server', 'trust', 'skill']),
        existed: z.boolean().optional(),
        afterHash: text.optional(),
        undo: z.array(z.strictObject({ offset: count, length: count, content: text })).optional(),
        containers: z.array(text).optional(),
        madeFolders: z.array(text).optional(),
      }),
    ),
  }),
  uninstall: z.strictObject({
    files: z.array(
      z.strictObject({
        path: text,
        holds: text,
        result: z.enum(['restored', 'entries removed', 'gone already', 'kept, because you changed it']),
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
          commits: count,
        }),
      ),
      skipped,
    }),
    z.strictObject({
      files: count,
      events: count,
      commits: count,
      readMs: z.number(),
      isComplete: z.boolean(),
      projects: count,
      skipped,
    }),
    z.strictObject({ events: count }),
    z.strictObject({ tool: text, notes: count, events: count }),
  ]),
  doctor: z.strictObject({
    ok: z.boolean(),
    checks: z.array(
      z.strictObject({
        name: text,
        ok: z.boolean(),
        detail: text,
        hint: text.optional(),
        tokens: count.optional(),
      }),
    ),
    sessionTokens: count.describe('estimated tokens of a session before the first prompt'),
  }),
  completion: z.strictObject({ shell: text, script: text }),
  init: capture,
  off: capture,
  pause: z.strictObject({ pausedUntil: text }),
  exclude: z.strictObject({ exclude: z.array(text) }),
  project: z.union([z.array(projectRecord), z.strictObject({ from: text, into: text }), projectRecord]),
  status: z.strictObject({
    project: text,
    name: text,
    root: text,
    capture: z.enum(['on', 'off']),
    reason: text.optional(),
    installs: z.array(z.strictObject({ agent: text, scope: text })),
    events: z.record(text, count).describe('by kind'),
    notes: count,
    candidates: count,
    untrusted: count.describe('texts of the repository that are not trusted yet'),
    lastCapture: z.record(text, z.number()).describe('by agent'),
    bytes: z.strictObject({ events: count, notes: count, index: count, all: count }),
    unindexedBytes: count.nullable(),
    failures: count,
    unlinkedRemote: z
      .strictObject({ project: text, name: text })
      .optional()
      .describe('a project with the same remote but no common commit'),
    gap: z
      .strictObject({ from: text, to: text, events: count, code: text })
      .optional()
      .describe('events that could not be stored and are not recorded yet'),
    log: z.strictObject({ damage: z.array(logDamage), recoverable: count, tornWrites: count }),
    model: z.strictObject({
      chosen: text,
      today: spent,
      month: spent,
      failedSessions: z.array(z.unknown()),
    }),
  }),
  stats: z.strictObject({
    days: count,
    estimated: z.literal(true),
    sessions: z.array(z.strictObject({ agent: text, agentSession: text, lastAt: millis, ...savings })),
    total: z.strictObject(savings),
  }),
  spend: z.strictObject({
    model: text.describe('the chosen model, or off'),
    isPriceAssumed: z.boolean(),
    caps,
    today: spent,
    month: spent,
    ever: spent,
    byModel: z.array(
      z.strictObject({
        provider: text,
        model: text,
        failed: count,
        tokens: count,
        usd: z.number(),
        calls: count,
      }),
    ),
    failures: z.array(z.strictObject({ at: millis, provider: text, model: text, outcome: text, why: text })),
    ahead: count.describe('calls with a date in the future'),
    unreadable: count,
    ledger: text.describe('path'),
  }),
  models: z.strictObject({
    chosen: text,
    since: text,
    caps,
    today: spent,
    month: spent,
    found: z.array(z.strictObject({ name: text, what: text, where: text, isThere: z.boolean() })),
  }),
  ui: z.strictObject({
    url: text,
    mayApprove: z.boolean().describe('whether the opened viewer may approve, edit and delete'),
  }),
  config: settings,
  logs: z.array(z.record(text, z.unknown())),
  scan: z.strictObject({
    projects: count,
    isDryRun: z.boolean(),
    findings: z.array(
      z.strictObject({
        file: text,
        rules: z.record(text, count).describe('number of secrets by rule'),
      }),
    ),
  }),
  verify: z.strictObject({
    ok: z.boolean(),
    log: z.strictObject({
      damage: z.array(logDamage),
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
    index: z.enum(['fits', 'behind', 'missing', 'of another log']),
    fromFuture: z.record(text, count).describe('by file'),
  }),
  reindex: z.union([
    z.strictObject({
      ran: z.boolean(),
      indexed: count,
      ingested: count,
      isComplete: z.boolean(),
      elapsedMs: z.number(),
    }),
    z.strictObject({ ...indexState, elapsedMs: z.number() }),
  ]),
  export: z.strictObject({ file: text, events: count, notes: count }),
  restore: z.strictObject({ project: text, events: count, notes: count }),
};
