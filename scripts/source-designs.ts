/**
 * What the five earlier designs can do, and how it is tried here: the capability, then calls, then tags of tests that
 * prove more. A call is a command line, an MCP tool with its arguments, or a route, with a word that the answer has
 * after an arrow. `test/e2e/source-designs.test.ts` makes every call in a project whose sessions settled that retries
 * stay in Postgres. `$session`, `$snapshot` and `$hit` are ids of earlier answers.
 *
 * Calls of the team server (`backstory team …`, and routes with `:id`) need Postgres. They are only checked to exist;
 * their tags are those of tests with Postgres.
 */
export const designs: Record<string, string[][]> = {
  'triforge: chat memory for Claude Code': [
    [
      'Install hooks and an MCP server',
      'backstory install claude-code --dry-run → .claude.json',
      '[e2e-capture-inject-recall]',
    ],
    [
      'Activate a project (/rag)',
      'backstory init → Capture is on',
      'backstory capture → on',
      '[off-is-zero]',
    ],
    ['Capture each turn without a model, redacted', 'backstory status → prompt', '[redact-never-leaks]'],
    ['Index in the background, detached', 'backstory drain', '[drain-late-event]'],
    [
      'Search chat memory by words and meaning',
      'rag_search {"query":"retries"} → Postgres',
      'recall {"query":"retries"} → Postgres',
      'backstory recall "where do failed jobs wait" → Postgres',
      '[recall-meaning]',
    ],
    ['Recap at session start', 'backstory prelude → Postgres', '[recap]', '[recap-asked]'],
    [
      'Summary of each session without a model',
      'backstory recall --kind summary → Postgres',
      '[distil-summary]',
    ],
    ['Summary by a model, if one is chosen', 'backstory models → No model', '[session-account]'],
    [
      'Code search (semble)',
      'search_content {"query":"retryJob"} → src/queue.ts',
      'backstory search --ask "where are failed jobs queued again" → src/queue.ts',
      '[code-ask]',
    ],
    ['Hosted backend (InsForge)', 'backstory team serve', '[team-api]'],
  ],
  'TriSeek: code search, Memo and handoff': [
    [
      'Install in four agents',
      'backstory install codex opencode pi --dry-run → config.toml',
      '[agent-uninstall]',
      '[pi-install]',
      '[codex-trust]',
    ],
    [
      'Verify and remove it',
      'backstory doctor → Fixed cost',
      'backstory uninstall pi → not installed',
      '[uninstall-bytes]',
    ],
    ['Build an index of a folder', 'backstory build . → Indexed', '[code-cli]'],
    [
      'Find files',
      'find_files {"query":"queue"} → src/queue.ts',
      'backstory search --files queue → src/queue.ts',
      '[code-mcp]',
    ],
    [
      'Search content, literal or regex',
      'search_content {"query":"retry\\\\w+","mode":"regex"} → src/queue.ts',
      'backstory search retryJob → src/queue.ts',
      'GET /api/v1/code/search?query=retryJob → src/queue.ts',
      '[code-linear]',
    ],
    [
      'Search content below a path',
      'search_path_and_content {"path_query":"src/**","content_query":"retryJob"} → src/queue.ts',
    ],
    ['Do not repeat an unchanged answer', 'find_files {"query":"queue"} → Unchanged', '[code-reuse]'],
    [
      'A small set of files for a task',
      'context_pack {"goal":"fix retryJob"} → src/queue.ts',
      'backstory search --task "fix retryJob" → src/queue.ts',
      '[pack-budget]',
    ],
    [
      'Index state and rebuild',
      'index_status {} → index',
      'reindex {"mode":"full"} → indexed',
      'backstory doctor --reindex code → Indexed',
      '[mcp-progress]',
    ],
    [
      'Is this file still as I read it?',
      'memo_status {"files":["src/queue.ts"]} → src/queue.ts',
      'memo_session {}',
      'memo_check {"path":"src/queue.ts"} → src/queue.ts',
      '[memo-fresh]',
      '[memo-compaction]',
    ],
    [
      'Work sessions',
      'session_open {"goal":"Make retries safe"} → session_id',
      'session_status {} → retries',
      'session_list {} → retries',
      '[session-lifecycle]',
    ],
    [
      'Snapshots',
      'session_snapshot {} → snapshot_id',
      'session_snapshot_list {} → $snapshot',
      'session_snapshot_get {"snapshot_id":"$snapshot"} → retries',
      'session_snapshot_diff {"snapshot_a":"$snapshot","snapshot_b":"$snapshot"} → added_files',
      '[snapshot-private]',
    ],
    [
      'Handoff to another agent',
      'session_handoff {} → snapshot_id',
      'session_resume {"snapshot_id":"$snapshot"} → retries',
      'backstory handoff --brief → retries',
      'backstory handoff resume → retries',
      '[handoff-claude-codex]',
      '[brief-budget]',
    ],
    ['End a work session', 'session_close {} → status', '[session-shapes]'],
    ['One server per checkout on stdio', 'backstory mcp serve --repo .', '[mcp-stdio]'],
    [
      'Error envelope and codes, structured',
      'search_content {"query":"(","mode":"regex"} → INVALID_QUERY',
      '[code-errors]',
      '[mcp-errors]',
    ],
  ],
  'Forge memory: team memory in Postgres': [
    [
      'Search, by source',
      'forge_memory {"query":"retries","source":"note"} → Postgres',
      'GET /api/projects/repo/memory/search?q=retries → Postgres',
      'GET /api/v1/projects/:id/recall',
      '[team-one-recall]',
      '[mcp-aliases]',
    ],
    [
      'Add a note by hand',
      'backstory remember "Deploys go out on Tuesdays." → Remembered',
      'POST /api/projects/repo/memory {"text":"Backups run at noon.","metadata":{"priority":"high"}} → priority:high',
      'POST /api/v1/projects/:id/memory',
      'backstory team push',
      '[viewer-topics]',
    ],
    [
      'Remove a memory',
      'backstory forget --containing "Backups run at noon." --yes → 1',
      'DELETE /api/memory/:id',
      '[http-seed-002]',
    ],
    [
      'Rebuild all embeddings',
      'POST /api/projects/repo/memory/reindex {}',
      'POST /api/v1/projects/:id/memory/reindex',
      '[team-jobs]',
    ],
    [
      'Issues, comments and jobs',
      'POST /api/v1/projects/:id/lifecycle',
      'POST /api/webhooks/:webhook',
      '[team-lifecycle]',
      '[team-webhooks]',
      '[team-trackers]',
    ],
    [
      'Knowledge of a code base',
      'backstory knowledge --dry-run → Postgres',
      'POST /api/v1/projects/:id/memory/batch',
      '[knowledge-current]',
      '[knowledge-clone]',
    ],
    ['Reindex on demand from the settings page', 'POST /api/v1/projects/:id/memory/reindex', '[team-jobs]'],
    ['memory:indexed events', 'GET /api/v1/projects/:id/events', '[team-live]', '[live-events]'],
    ['Project isolation', 'backstory team serve', '[team-private]', '[team-trust]'],
    ['Memory at session start', 'backstory prelude --why → Postgres', '[team-first-prompt]'],
    [
      'Users, devices, roles',
      'backstory team member',
      'backstory team token',
      'backstory team join',
      '[team-rights]',
      '[team-device-rate]',
    ],
    [
      'Wishes: search page, decay, privacy',
      'backstory ui --help → viewer',
      'backstory team retention',
      '[viewer-search]',
      '[team-retention]',
    ],
  ],
  'claude-mem: search': [
    [
      'Skill, loaded on demand',
      'backstory install claude-code --surface skill --dry-run → skills',
      '[skill-tokens]',
    ],
    [
      'Full-text search',
      'GET /api/search/observations?query=retries → Postgres',
      'GET /api/search/sessions?query=retries',
      'GET /api/search/prompts?query=retries → Postgres',
      '[http-seed-003]',
      '[http-curl]',
    ],
    [
      'Filtered lists',
      'GET /api/search/by-type?type=decision → Postgres',
      'GET /api/search/by-concept?concept=gotcha',
      'GET /api/search/by-file?filePath=queue.ts',
      '[http-seed-003]',
    ],
    [
      'Recent sessions',
      'GET /api/context/recent?limit=3 → sessions',
      'GET /api/v1/agent-sessions → items',
      'backstory sessions → claude-code',
      '[session-title]',
    ],
    [
      'Timeline',
      'GET /api/timeline/by-query?query=retries → Postgres',
      'GET /api/context/timeline?anchor=$hit → records',
      'timeline {"query":"retries"} → Postgres',
      'backstory show retries --around → Postgres',
      '[timeline]',
    ],
    [
      'API description',
      'GET /api/search/help → by-file',
      'GET /api/v1/openapi.json → openapi',
      'GET /health → ok',
      '[http-envelope]',
    ],
    ['Worker on a port of your choice', 'backstory serve --help → --port', '[serve-ends]'],
    ['Worker status and logs', 'backstory status → capture', 'backstory doctor --logs', '[cli-control]'],
    ['Words and meaning in one store', 'backstory doctor --reindex memory → Indexed', '[recall-meaning]'],
    ['Injection-safe queries', 'backstory recall "retries\\" OR 1=1 --" → Postgres', '[query-words]'],
    ['Viewer', 'backstory ui --help → viewer', '[viewer-text]'],
    ['Import its data', 'backstory import claude-mem → Imported 0 notes', '[import-stores]'],
  ],
  'TheHook: Markdown memory': [
    [
      'init, status, recall, reindex',
      'backstory init → on',
      'backstory status → events',
      'backstory recall retries → Postgres',
      'backstory reindex → Indexed',
      '[cli-recall]',
    ],
    ['Capture at SessionEnd', 'backstory status → session', '[codex-capture]'],
    ['Context at SessionStart', 'backstory prelude → Postgres', '[prelude-by-source]'],
    ['Extraction by claude -p without an API key', 'backstory learn --help → --retry', '[models-claude]'],
    [
      'Conventions, decisions, gotchas',
      'backstory recall --kind decision → Postgres',
      'backstory review',
      '[distil-user]',
    ],
    [
      'Consolidation: what is settled, once each',
      'backstory notes → Postgres',
      '[note-superseded]',
      '[topic-amend]',
    ],
    [
      'Markdown is the truth, the index is disposable',
      'backstory doctor --reindex memory → Indexed',
      'GET /api/v1/recall?query=retries → Postgres',
      'get_notes {"ids":["$hit"]} → Postgres',
      '[versions-side-by-side]',
    ],
    ['Memory in the repository', 'backstory share --help → --trust', '[share-merge]', '[trust-repo]'],
    [
      'Metadata filters',
      'recall {"query":"retries","kind":"decision"} → Postgres',
      'GET /api/v1/recall?query=retries&kind=decision → Postgres',
    ],
    ['Settings', 'backstory config → capture', '[cli-config]'],
    ['Cursor', 'backstory install cursor --dry-run → .cursor', '[cursor-install]', '[cursor-prelude]'],
    ['Import its data', 'backstory import thehook → Imported 0 notes', '[import-stores]'],
  ],
};

/** What is not as in the design: what, and why. */
export const departures: Record<string, [what: string, why: string][]> = {
  'triforge: chat memory for Claude Code': [
    [
      'Its data is not imported',
      'Its sessions are imported from the transcripts of Claude Code, with more than it kept',
    ],
    [
      'Entity triples by a model, graph search over kg.pkl',
      'Recall ranks by few signals, fitted to real sessions, and a graph is not among them (ADR 55)',
    ],
    [
      'Parquet shards, float32 vectors, a model downloaded on the first run',
      'One SQLite file, int8 vectors, and a model in the package (ADR 10, 11)',
    ],
    [
      'Three MCP servers, InsForge, Python',
      'One server and one runtime; a team server of your own (ADR 3, 5, 29)',
    ],
    [
      '`rag_search` among the default tools',
      'Each tool costs tokens in every session: `--tools all` has it, `recall` is the default',
    ],
    [
      'Symbols in all languages',
      'Text search works in every language; symbols in eleven, because each grammar adds to the package',
    ],
    ['Files that share no word with a question', 'Meaning only reorders files that share a word with it'],
    [
      'Memory by path hash, in ~/.claude',
      'By remote or first commit, so that clones and worktrees share it (ADR 1)',
    ],
  ],
  'TriSeek: code search, Memo and handoff': [
    ['A daemon that holds the state; shutdown', 'No process has to run (ADR 2)'],
    ['`ripgrep_fallback`', 'Our own scan returns the same lines as the index (ADR 14)'],
    ['Sessions in a daemon folder', 'They are events of the log, which cannot be recomputed (ADR 18)'],
    [
      'Structured content of memory tools in Claude Code and Codex',
      'They would show it to the model instead of the shorter text (ADR 28)',
    ],
  ],
  'Forge memory: team memory in Postgres': [
    ['WebSocket', 'Server-sent events pass proxies and resume by id (ADR 31)'],
    [
      'One HNSW index over all projects',
      'It lost answers when filtered by project; each project has its own search (ADR 29)',
    ],
    [
      'An embedding provider, a model per project',
      'The model in the package: no text leaves the server (ADR 11)',
    ],
    ['`embeddedAt` on a laptop', 'It is null: vectors there can be rebuilt at any time'],
    [
      'Text of any issue in the first prompt',
      'Only if you trust its author; of others only the id, because anyone may have written it',
    ],
    [
      'Knowledge that a device sends to the server',
      'A file that you accept and commit; statements are synced as notes',
    ],
    ['Edges beside about, mentions and part-of; decay by use', 'Nothing needed them so far; decay is by age'],
  ],
  'claude-mem: search': [
    [
      'A worker that always runs, without a token',
      '`serve` runs on demand and needs one: a page in your browser could ask it (ADR 26)',
    ],
    ['Port 37777 by default', '`serve --port 37777`; two users of one machine cannot share it'],
    ['Chroma', 'Vectors are in the same index (ADR 10)'],
    ['Answers within 10 ms', '39 ms at best for a command with 7,000 events; `serve` answers faster'],
    [
      'A skill instead of tools as the default',
      'Both are installed; `--surface skill` installs the skill alone',
    ],
  ],
  'TheHook: Markdown memory': [
    [
      'Memory and settings in .thehook of the repository',
      'In the home folder: a clone must not turn memory on. `share` puts notes there (ADR 1, 25)',
    ],
    ['YAML settings', 'JSON: the hook has no YAML parser (ADR 4)'],
    [
      'A fixed query at SessionStart, chunks of 500 tokens',
      'The prelude is made in advance; chunks have 1,200 characters (ADR 4, 7)',
    ],
    ['Hooks that may run for 600 s', '10 s: work is done in the background (ADR 57)'],
    ['`cursor-agent -p`', 'Models are called by claude, codex or a URL'],
    [
      'Transcript lines without uuid, session and folder',
      'Its sketch has them, Claude Code does not write them',
    ],
  ],
};
