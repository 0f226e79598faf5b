import { adr, type Row, shownBy } from './row.ts';
import { fieldsOf, rowsOf } from './rows-of.ts';

const { same, renamed, departed, planned } = rowsOf('001');

const codeSearch = { capability: 'code-search' } as const;
const codeShown = { ...codeSearch, test: shownBy.code } as const;
const packShown = { ...codeSearch, test: shownBy.contextPack } as const;
const memo = { capability: 'memo', test: shownBy.memo } as const;
const work = { capability: 'work-sessions', test: shownBy.workSessions } as const;
const handedOver = { capability: 'work-sessions', test: shownBy.handoff } as const;

const tools: Row[] = [
  ...same({ kind: 'tool', ...packShown }, ['context_pack']),
  ...same({ kind: 'tool', ...codeShown }, [
    'find_files',
    'search_content',
    'search_path_and_content',
    'index_status',
    [
      'reindex',
      '`reindex`',
      'In MCP it stays the code index; the command says `reindex memory|code|vectors`.',
    ],
  ]),
  ...same({ kind: 'tool', ...memo }, ['memo_status', 'memo_session', 'memo_check']),
  ...same({ kind: 'tool', ...work }, [
    'session_open',
    'session_status',
    'session_list',
    'session_close',
    'session_snapshot',
    'session_snapshot_list',
    'session_snapshot_get',
    'session_snapshot_diff',
    'session_handoff',
    'session_resume',
  ]),
];

const commands: Row[] = [
  ...renamed({ kind: 'command', capability: 'install', test: shownBy.install }, [
    ['triseek install claude-code', '`backstory install claude-code`'],
    ['triseek uninstall', '`backstory uninstall`'],
  ]),
  ...planned({ kind: 'command', capability: 'install', comesWith: 'the full capture' }, [
    ['triseek install codex', '`backstory install codex`'],
    ['triseek install opencode', '`backstory install opencode`'],
    ['triseek install pi', '`backstory install pi`'],
    ['codex mcp list', '`codex mcp list` names `backstory`'],
  ]),
  ...same({ kind: 'command', capability: 'install', test: shownBy.install }, [
    ['claude mcp list', '`claude mcp list` names `backstory`'],
  ]),
  ...same({ kind: 'parameter', capability: 'install', test: shownBy.install }, [
    '--scope',
    '--scope=project',
    ['--scope=user', '`--scope user`, the default'],
  ]),
  ...renamed({ kind: 'command', capability: 'install', test: shownBy.cli }, [
    ['triseek doctor', '`backstory doctor`'],
  ]),
  ...renamed({ kind: 'command', capability: 'recall', test: shownBy.claudeCode }, [
    ['triseek mcp serve', '`backstory mcp`; `backstory mcp serve` works too'],
  ]),
  ...same({ kind: 'parameter', capability: 'recall', test: shownBy.claudeCode }, ['--repo']),
  ...renamed({ kind: 'command', ...codeShown }, [['triseek build <PATH>', '`backstory reindex code`']]),
  ...renamed({ kind: 'command', ...handedOver }, [
    ['triseek brief', '`backstory brief`'],
    ['triseek handoff codex', '`backstory handoff codex`'],
    ['triseek handoff claude', '`backstory handoff claude`'],
    ['triseek handoff <target>', '`backstory handoff claude|codex|opencode|pi|cursor`'],
    ['triseek resume <snapshot_id>', '`backstory resume [SNAPSHOT]`'],
  ]),
  ...same({ kind: 'parameter', ...handedOver }, ['--write-to']),
];

const files: Row[] = [
  ...same({ kind: 'file', capability: 'install', test: shownBy.install }, ['.mcp.json']),
  ...planned({ kind: 'file', capability: 'install', comesWith: 'the full capture' }, [
    '~/.codex/config.toml',
    ['[mcp_servers.triseek]', '`[mcp_servers.backstory]`'],
  ]),
  ...departed({ kind: 'file', ...work, adr: adr.workSessions }, [
    [
      '<daemon_dir>/sessions/',
      'events of the log',
      'The steps of a work session cannot be recomputed, so they are truth.',
    ],
  ]),
  ...renamed({ kind: 'file', ...work }, [
    ['~/.triseek/daemon/snapshots/', '`~/.backstory/projects/<id>/snapshots/`'],
  ]),
  ...same({ kind: 'file', ...handedOver }, [
    ['AGENTS.md', '`AGENTS.md`, only when asked and inside markers'],
  ]),
];

const protocol: Row[] = [
  ...same({ kind: 'behaviour', capability: 'recall', test: shownBy.claudeCode }, [
    ['stdio, one child process per client session', 'the same'],
    ['one root per MCP process', 'the same'],
    ['logs go to stderr, stdout is protocol only', 'the same'],
    ['newline-delimited JSON-RPC 2.0', 'the same'],
    ['no tool edits files or runs commands', 'the same'],
    ['no network, telemetry or sign-in', 'the same, unless a model provider or a team server is configured'],
    'initialize',
    'notifications/initialized',
    'tools/list',
    'tools/call',
    'ping',
  ]),
  ...departed({ kind: 'behaviour', capability: 'recall', test: shownBy.claudeCode, adr: adr.noResident }, [
    [
      'shutdown',
      'the process ends when its stdin closes',
      'The protocol has no such method; the agent owns the process.',
    ],
  ]),
  ...departed({ kind: 'behaviour', capability: 'capture', test: shownBy.claudeCode, adr: adr.noResident }, [
    [
      'a local daemon holds the state',
      'no process has to run',
      'Hooks append to files; a bounded `drain` works and ends.',
    ],
  ]),
  ...same({ kind: 'field', capability: 'recall', test: shownBy.claudeCode }, [
    ['initialize.protocolVersion', '`2025-06-18` where the agent asks for it, newer revisions too'],
    'initialize.capabilities',
    'initialize.capabilities.tools',
  ]),
  ...renamed({ kind: 'field', capability: 'recall', test: shownBy.claudeCode }, [
    ['initialize.serverInfo.name', '`backstory`'],
  ]),
  ...same(
    { kind: 'field', capability: 'recall', test: shownBy.claudeCode },
    fieldsOf('CallToolResult', ['content[].text', 'isError']),
  ),
  ...same({ kind: 'field', capability: 'recall', test: shownBy.mcpTools }, [
    ['CallToolResult.structuredContent', 'the same; the text beside it tells the same'],
  ]),
  ...departed({ kind: 'behaviour', ...codeShown, adr: adr.codeIndex }, [
    [
      'index when it helps, ripgrep or a scan when it does not',
      'the index when a pattern tells anything, a scan when it does not; the reason is in the answer',
      'A scan by our own automaton gives the same lines as the index does.',
    ],
  ]),
  ...same({ kind: 'behaviour', ...codeSearch, test: shownBy.checkout }, [
    ['a background sync at server start', 'the same: full when there is no index, else what changed'],
    ['queries are answered before the first sync is done', 'the same'],
    ['a failed sync does not stop the server', 'the same'],
    ['the daemon watches a registered root', 'the process that holds the lock of the checkout watches it'],
  ]),
  ...same({ kind: 'behaviour', ...codeShown }, [
    ['path search by substring over a path index', 'the same'],
    ['a path glob narrows before content is searched', 'the same'],
    [
      'a repeated search is answered by pointing at the earlier one',
      'the same, until something relevant changed',
    ],
    ['reuse is checked by generation, context epoch and changes', 'the same, from the log and the manifest'],
    ['matches of one line are given once', 'the same'],
    ['answers hold no whole files', 'the same'],
  ]),
  ...same({ kind: 'limit', capability: 'recall', test: shownBy.claudeCode }, [
    ['answers below 10,000 tokens', 'below 20 KB for every tool'],
  ]),
  ...same({ kind: 'limit', capability: 'recall', test: shownBy.recall }, [
    ['limit: 20 by default', '20 by default'],
    ['limit: 100 at most', '100 at most'],
    ['previews of 200 characters', 'previews of 200 characters'],
    ['truncated is true when results were clipped', 'the same'],
  ]),
];

const searchFields: Row[] = [
  ...same(
    { kind: 'field', ...codeShown },
    fieldsOf('search envelope', [
      'version',
      'repo_root',
      'strategy',
      'fallback_used',
      'cache',
      'cache=hit',
      'cache=miss',
      'cache=bypass',
      'routing_reason',
      'results',
      'search_id',
      'truncated',
    ]),
  ),
  ...renamed(
    { kind: 'field', ...codeShown },
    fieldsOf('search envelope', [
      ['strategy=triseek_indexed', '`indexed`'],
      ['strategy=triseek_direct_scan', '`direct_scan`'],
    ]),
  ),
  ...departed(
    { kind: 'field', ...codeShown, adr: adr.codeIndex },
    fieldsOf('search envelope', [
      [
        'strategy=ripgrep_fallback',
        '`direct_scan`',
        'No second program: our own scan gives the same lines as the index.',
      ],
    ]),
  ),
  ...same(
    { kind: 'field', ...codeShown },
    fieldsOf('reuse envelope', [
      'prior_search_id',
      'reuse_status',
      'reuse_status=fresh_duplicate',
      'reuse_reason',
      'reuse_reason=unchanged',
      'generation',
      'context_epoch',
      'files_with_matches',
      'total_line_matches',
      'results_omitted',
    ]),
  ),
  ...same({ kind: 'parameter', ...codeShown }, [
    ...fieldsOf('find_files', ['query', 'limit', 'force_refresh']),
    ...fieldsOf('search_content', ['query', 'mode', 'mode=literal', 'mode=regex', 'limit', 'force_refresh']),
    ...fieldsOf('search_path_and_content', ['path_query', 'content_query', 'mode', 'limit', 'force_refresh']),
  ]),
  ...same({ kind: 'field', ...codeShown }, [
    ...fieldsOf('find_files', ['results[].path', 'results[].reason', 'results[].reason=path_match']),
    ...fieldsOf('search_content', [
      'results[].path',
      'results[].matches',
      'results[].matches[].line',
      'results[].matches[].column',
      'results[].matches[].preview',
      'results[].reason',
      'results[].reason=content_match',
    ]),
  ]),
];

const packAndIndexFields: Row[] = [
  ...same({ kind: 'parameter', ...packShown }, [
    ...fieldsOf('context_pack', [
      'goal',
      'intent',
      'intent=bugfix',
      'intent=review',
      'budget_tokens',
      'max_files',
      'changed_files',
    ]),
  ]),
  ...same(
    { kind: 'parameter', ...codeShown },
    fieldsOf('reindex', ['mode', 'mode=incremental', 'mode=full']),
  ),
  ...same({ kind: 'field', ...packShown }, [
    ...fieldsOf('context_pack', [
      'version',
      'repo_root',
      'intent',
      'goal',
      'budget_tokens',
      'max_files',
      'estimated_tokens',
      'items',
      'items[].path',
      'items[].score',
      'items[].reasons',
      'items[].snippets',
      'items[].snippets[].line',
      'items[].snippets[].column',
      'items[].snippets[].preview',
      'suggested_next_steps',
      'truncated',
    ]),
  ]),
  ...same({ kind: 'field', ...codeShown }, [
    ...fieldsOf('index_status', [
      'version',
      'repo_root',
      'index_present',
      'index_fresh',
      'indexed_files',
      'index_bytes',
      'last_updated',
      'repo_category',
      'repo_category=large',
      'routing_hint',
      'routing_hint=indexed_default',
    ]),
    ...fieldsOf('reindex', [
      'version',
      'repo_root',
      'completed',
      'mode',
      'rebuilt_full',
      'elapsed_ms',
      'indexed_files',
    ]),
  ]),
  ...same({ kind: 'limit', ...packShown }, [
    ['context_pack: 1,200 tokens by default', 'the same'],
    ['context_pack: 4 files by default', 'the same'],
    ['context_pack: 4,000 tokens at most', 'the same'],
    ['context_pack: 12 files at most', 'the same'],
  ]),
];

const memoRows: Row[] = [
  ...same({ kind: 'parameter', ...memo }, ['memo_status.files', 'memo_check.path']),
  ...same({ kind: 'field', ...memo }, [
    ...fieldsOf('memo_status', [
      'session_id',
      'results',
      'results[].path',
      'results[].status',
      'results[].status=stale',
      'results[].tokens',
      'results[].read_count',
      'results[].message',
      'results[].current_tokens',
    ]),
    ...fieldsOf('memo_check', [
      'path',
      'status',
      'status=fresh',
      'recommendation',
      'recommendation=skip_reread',
      'recommendation=reread_with_diff',
      'recommendation=reread',
      'tokens_at_last_read',
      'last_read_ago_seconds',
    ]),
  ]),
  ...same({ kind: 'behaviour', ...memo }, [
    [
      'memo_session gives tracked files and tokens saved',
      'the same; only what the agent really skipped is counted',
    ],
  ]),
  ...departed({ kind: 'behaviour', ...memo, adr: adr.memo }, [
    ['Memo needs the daemon', 'reads are events, so no process is needed'],
  ]),
  ...same({ kind: 'behaviour', ...memo, test: shownBy.reads }, [
    [
      'reads of Claude Code, OpenCode and Pi are observed',
      'the same, and of every agent; reads through Bash count',
    ],
    ['reads of Codex are observed where its hooks show them', 'the same; `memo_check` for the rest'],
  ]),
  ...departed({ kind: 'hook', ...memo, test: shownBy.reads, adr: adr.memo }, [
    ['PreToolUse', 'not used', 'What was read is in the result; a hook before it would only cost time.'],
  ]),
  ...same({ kind: 'hook', ...memo, test: shownBy.reads }, ['PostToolUse']),
];

const record = ['schema_version', 'session_id', 'goal', 'repo_root', 'status', 'created_at', 'updated_at'];

const sessionParameters: Row[] = same({ kind: 'parameter', ...work }, [
  ...fieldsOf('session_open', ['goal', 'session_id']),
  'session_status.session_id',
  ...fieldsOf('session_close', ['session_id', 'status', 'status=resolved', 'status=abandoned']),
  ...['session_snapshot', 'session_handoff'].flatMap((tool) =>
    fieldsOf(tool, [
      'session_id',
      'source_harness',
      'pinned_snippet_paths',
      'pinned_snippet_paths[].path',
      'pinned_snippet_paths[].line_start',
      'pinned_snippet_paths[].line_end',
    ]),
  ),
  'session_snapshot.source_model',
  'session_snapshot_list.session_id',
  'session_snapshot_get.snapshot_id',
  ...fieldsOf('session_snapshot_diff', ['snapshot_a', 'snapshot_b']),
  ...fieldsOf('session_resume', ['snapshot_id', 'budget_tokens']),
]);

const sessionFields: Row[] = [
  ...same({ kind: 'field', ...work }, [
    ...fieldsOf('session_open', [
      'session',
      ...record.map((name) => `session.${name}`),
      'session.status=open',
    ]),
    ...fieldsOf('session_status', ['session', 'session.session_id', 'session.status', 'action_log_size']),
    ...fieldsOf('session_list', [
      'sessions',
      'sessions[].session_id',
      'sessions[].goal',
      'sessions[].status',
    ]),
    ...fieldsOf('session_close', ['session', 'session.session_id', 'session.status']),
    ...fieldsOf('session_snapshot', [
      'snapshot_id',
      'snapshot_dir',
      'manifest',
      'manifest.schema_version',
      'manifest.snapshot_id',
      'manifest.session_id',
      'manifest.repo_root',
      'manifest.repo_commit',
      'manifest.repo_dirty_files',
      'manifest.source_harness',
      'manifest.source_model',
      'manifest.generation',
      'manifest.context_epoch',
    ]),
    ...fieldsOf('session_snapshot_list', [
      'snapshots',
      'snapshots[].schema_version',
      'snapshots[].snapshot_id',
      'snapshots[].session_id',
      'snapshots[].source_harness',
    ]),
    ...fieldsOf('session_snapshot_get', [
      'snapshot',
      'snapshot.manifest',
      'snapshot.manifest.schema_version',
      'snapshot.manifest.snapshot_id',
      'snapshot.working_set',
      'snapshot.working_set.schema_version',
      'snapshot.working_set.files_read',
      'snapshot.working_set.searches_run',
      'snapshot.working_set.frecency_top_n',
      'snapshot.action_log',
      'snapshot.pinned_snippets',
    ]),
    ...fieldsOf('session_snapshot_diff', [
      'diff',
      'diff.added_files',
      'diff.removed_files',
      'diff.changed_files',
      'diff.added_searches',
      'diff.removed_searches',
    ]),
    ...fieldsOf('session_resume', [
      'session_id',
      'payload_markdown',
      'payload_token_estimate',
      'hydration_report',
      'hydration_report.files_primed',
      'hydration_report.searches_warmed',
      'hydration_report.frecency_entries_restored',
      'hydration_report.stale_files',
      'searches',
    ]),
  ]),
  ...same({ kind: 'behaviour', ...work }, [
    ['an omitted session_id is generated', 'the same'],
    ['opening a known id again updates its goal', 'the same'],
    ['session_id may be left out once a session is current', 'the same'],
    ['sessions are listed newest first', 'the same'],
    ['closing ends the current session of the server', 'the same'],
    ['snapshots hold no copies of repository files', 'the same'],
    ['session_handoff snapshots and then resolves', 'the same, answering as session_snapshot does'],
    ['session_resume answers within its budget', 'the same'],
  ]),
  ...same({ kind: 'behaviour', ...handedOver }, [
    ['briefings are written only when the user asks', 'the same'],
  ]),
];

const errors: Row[] = [
  ...same(
    { kind: 'field', capability: 'recall', test: shownBy.claudeCode },
    fieldsOf('error envelope', [
      'version',
      'error',
      'error.code',
      'error.message',
      'error.retryable',
      'error.suggested_action',
    ]),
  ),
  ...same({ kind: 'error-code', ...codeSearch, test: shownBy.checkout }, ['INDEX_STALE']),
  ...same({ kind: 'error-code', ...codeSearch, test: shownBy.scanPool }, ['FALLBACK_FAILURE']),
  ...planned({ kind: 'error-code', ...codeSearch }, [
    'INDEX_UNAVAILABLE',
    'REPO_NOT_DETECTED',
    'BACKEND_FAILURE',
  ]),
  ...same({ kind: 'error-code', capability: 'recall', test: shownBy.cli }, ['INVALID_QUERY']),
  ...same({ kind: 'error-code', capability: 'install', test: shownBy.install }, ['CONFIG_WRITE_FAILED']),
  ...planned({ kind: 'error-code', capability: 'install', comesWith: 'the full capture' }, [
    [
      'CLIENT_NOT_INSTALLED',
      '`CLIENT_NOT_INSTALLED`',
      'Today `install` goes on and says that the agent is not on PATH.',
    ],
  ]),
];

export const triseekRows: Row[] = [
  ...tools,
  ...commands,
  ...files,
  ...protocol,
  ...searchFields,
  ...packAndIndexFields,
  ...memoRows,
  ...sessionParameters,
  ...sessionFields,
  ...errors,
];
