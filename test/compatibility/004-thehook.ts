import { adr, type Row, shownBy } from './row.ts';
import { fieldsOf, rowsOf } from './rows-of.ts';

const { same, renamed, departed, planned } = rowsOf('004');

const capture = { capability: 'capture', test: shownBy.claudeCode } as const;
const prelude = { capability: 'prelude', test: shownBy.claudeCode } as const;
const store = { capability: 'store', test: shownBy.stores } as const;
const distil = { capability: 'distil' } as const;

const commands: Row[] = [
  ...same({ kind: 'command', capability: 'capture', test: shownBy.cli }, [
    [
      'init',
      '`backstory init`',
      'Switches a project on; the hooks are written once, by `backstory install`.',
    ],
  ]),
  ...same({ kind: 'command', capability: 'store', test: shownBy.cli }, [
    ['status', '`backstory status`'],
    ['reindex', '`backstory reindex`'],
  ]),
  ...same({ kind: 'command', capability: 'recall', test: shownBy.cli }, [['recall', '`backstory recall`']]),
  ...renamed({ kind: 'command', ...capture }, [
    ['thehook capture', '`backstory-hook`, started by the agent'],
  ]),
  ...renamed({ kind: 'command', ...prelude }, [
    [
      'thehook retrieve',
      '`backstory-hook`, started by the agent',
      '`backstory prelude` prints what it would say.',
    ],
  ]),
  ...planned({ kind: 'command', ...distil }, ['claude -p', 'cursor-agent -p']),
];

const hooks: Row[] = [
  ...same({ kind: 'hook', ...capture }, ['SessionEnd']),
  ...same({ kind: 'hook', ...prelude }, ['SessionStart']),
  ...same(
    { kind: 'field', ...capture },
    fieldsOf('stdin', [
      'session_id',
      'transcript_path',
      'cwd',
      ['permission_mode', 'read past', 'Nothing that is remembered depends on it.'],
      'hook_event_name',
      'reason',
    ]),
  ),
  ...same({ kind: 'field', ...prelude }, [
    ...fieldsOf('stdin', ['source', ['source=startup', 'the whole prelude']]),
    ...fieldsOf('stdout', [
      'hookSpecificOutput',
      'hookSpecificOutput.hookEventName',
      'hookSpecificOutput.additionalContext',
    ]),
  ]),
  ...departed({ kind: 'field', ...prelude, adr: adr.hook }, [
    ['stdin.source=clear', 'the whole prelude', 'The cleared session has lost what it was told.'],
    ['stdin.source=compact', 'the whole prelude', 'Compaction drops what the session was told.'],
    ['stdin.source=resume', 'only what others did since', 'The session still has the rest.'],
  ]),
  ...departed({ kind: 'limit', capability: 'install', test: shownBy.install, adr: adr.hook }, [
    ['hook timeout of 600 s', '10 s', 'A hook needs little more than the time Node takes to start.'],
  ]),
  ...same({ kind: 'behaviour', ...capture }, [
    ['a hook exits 0', 'always, whatever happens; `doctor` shows what failed'],
    ['SessionEnd only has side effects and blocks nothing', 'the same'],
    ['ending a session does not wait for heavy work', '`drain` runs detached'],
  ]),
  ...same({ kind: 'behaviour', ...prelude }, [
    ['SessionStart extracts nothing', 'it reads a file that was rendered before'],
    ['only what is relevant is injected, never all there is', 'within a budget, each line with its reason'],
  ]),
  ...same({ kind: 'behaviour', capability: 'install', test: shownBy.install }, [
    ['SessionStart is a hook of type command', 'all our hooks are'],
  ]),
  ...renamed({ kind: 'behaviour', capability: 'install', test: shownBy.install }, [
    ['init writes the hook configuration', '`backstory install claude-code` does'],
  ]),
  ...planned({ kind: 'behaviour', capability: 'capture', comesWith: 'the full capture' }, [
    ['works with the Cursor IDE', '`backstory install cursor`'],
  ]),
];

const transcript: Row[] = [
  ...same({ kind: 'file', ...capture }, [
    ['~/.claude/projects/.../session.jsonl', 'read later from a cursor, each record once'],
  ]),
  ...same(
    { kind: 'field', ...capture },
    fieldsOf('transcript', [
      'type',
      'type=user',
      'type=assistant',
      'message',
      ['message.role', 'passed over', 'The type of the record says the same.'],
      'message.content',
      'message.content[].type',
      'message.content[].type=text',
      'message.content[].text',
      'message.content[].type=tool_use',
      'message.content[].name',
      'message.content[].input',
      'timestamp',
    ]),
  ),
  ...same({ kind: 'behaviour', ...capture }, [
    ['content may be a string or a list of blocks', 'both are read'],
    ['records of other types may occur', 'they are passed over'],
  ]),
];

const storage: Row[] = [
  ...departed({ kind: 'behaviour', ...store, adr: adr.truth }, [
    [
      'Markdown is the truth',
      'notes in Markdown and the event log are',
      'Much of what happened is no note and cannot be recomputed.',
    ],
  ]),
  ...same({ kind: 'behaviour', ...store }, [
    ['what is true is written before it is indexed', 'the same; the index follows the log'],
    ['the index can be deleted and rebuilt at any time', 'the same, and it is rebuilt by itself'],
    ['every chunk carries its metadata', 'the same'],
    ['where filters', '`--kind`, `--file`, `--agent`, `--since` and the other filters of recall'],
  ]),
  ...departed({ kind: 'file', capability: 'store', test: shownBy.cli, adr: adr.truth }, [
    [
      '.thehook/',
      '`~/.backstory/projects/<id>/`',
      'A cloned repository can never switch memory on by itself.',
    ],
  ]),
  ...departed({ kind: 'file', capability: 'store', test: shownBy.cli, adr: adr.hook }, [
    ['.thehook/config.yaml', '`config.json`, per user and per project', 'The hook has no YAML parser.'],
  ]),
  ...departed({ kind: 'file', ...store, adr: adr.indexFiles }, [
    [
      '.thehook/chroma/',
      '`index/<schema>-<generation>.db`',
      'One file of SQLite instead of a second engine.',
    ],
  ]),
  ...planned({ kind: 'file', ...distil }, [
    ['.thehook/sessions/{session_id}.md', '`notes/*.md` of kind `summary`'],
    ['.thehook/knowledge/', '`notes/*.md` of kind `knowledge`'],
    ['.thehook/knowledge/project-knowledge.md', '`notes/*.md` of kind `knowledge`, one per theme'],
  ]),
  ...planned({ kind: 'behaviour', ...distil }, [
    ['memory can be committed with the code', '`backstory share`, for notes'],
  ]),
  ...renamed(
    { kind: 'field', ...store },
    fieldsOf('metadata', [
      ['source', '`source` and `sourceId` of a chunk'],
      ['session', '`agentSession`'],
      ['session_id', '`agentSession`'],
      ['doc_type', '`kind`'],
      ['doc_type=session', '`source: event`'],
      ['doc_type=knowledge', '`kind: knowledge`'],
      ['project', '`project`, an id instead of a path'],
      ['timestamp', '`at`'],
    ]),
  ),
  ...renamed({ kind: 'field', ...store }, [
    ['thehook collection', 'the chunk table of the index'],
    ['{stem}_{i}', 'chunk ids that are hashes of their content'],
  ]),
  ...departed({ kind: 'limit', capability: 'store', test: shownBy.recall, adr: adr.indexFiles }, [
    [
      'chunks of 500 tokens',
      'about 1,200 characters, 200 of them shared with the next; up to 1,500 stay whole',
    ],
  ]),
  ...same({ kind: 'file', capability: 'install', test: shownBy.install }, [
    '~/.claude/settings.json',
    '.claude/settings.json',
  ]),
];

const retrieval: Row[] = [
  ...same({ kind: 'limit', ...prelude }, [
    ['injected context below 2,000 tokens', 'at most 1,500'],
    ['injected context of about 1,500 tokens', 'at most 1,500'],
    ['SessionStart answers in less than a second', 'one file is read'],
  ]),
  ...departed({ kind: 'behaviour', ...prelude, adr: adr.hook }, [
    [
      'SessionStart runs a fixed query',
      'the prelude is composed by `drain`',
      'The hook holds neither an index nor a model.',
    ],
  ]),
  ...renamed({ kind: 'parameter', capability: 'recall', test: shownBy.recall }, [
    ['n_results=5', '`limit`, 20 unless told otherwise'],
    ['query_texts', 'the question'],
  ]),
  ...same({ kind: 'behaviour', capability: 'recall', test: shownBy.cli }, [
    ['recall prints for people, not JSON', 'the same; `--json` for programs'],
  ]),
  ...same({ kind: 'behaviour', capability: 'store', test: shownBy.cli }, [
    ['reindex starts over from the files', 'the same, from the log and the notes'],
    ['reindex says how much it read', 'the same, and how long it took'],
  ]),
  ...planned({ kind: 'behaviour', capability: 'recall', comesWith: 'hybrid recall' }, [
    ['similar meaning by sentence-transformers', 'a small model inside the package'],
  ]),
  ...planned({ kind: 'limit', capability: 'recall', comesWith: 'hybrid recall' }, [
    ['queries below 100 ms past 500 sessions', 'measured at 100,000 and 1,000,000 chunks'],
  ]),
];

const extraction: Row[] = [
  ...planned(
    { kind: 'field', ...distil },
    fieldsOf('extraction', [
      ['SUMMARY', 'kind `summary`'],
      ['CONVENTIONS', 'kind `convention`'],
      ['DECISIONS', 'kind `decision`'],
      ['GOTCHAS', 'kind `gotcha`'],
    ]),
  ),
  ...planned({ kind: 'limit', ...distil }, [
    ['extraction timeout of 90 s', 'the same'],
    ['extraction timeout of at most 100 s', '90 s, and never inside a hook'],
    ['consolidation every N sessions', 'every 10 by default, or when asked'],
  ]),
  ...planned({ kind: 'behaviour', ...distil }, [
    [
      'extraction needs no API key',
      'the command-line agent of the user, once allowed; without one, plain rules',
    ],
    ['the available command-line agent is detected', 'the same, after the user said yes once'],
    ['a failed capture leaves a marker', 'the session is listed by `status` and retried'],
    ['sessions are merged into knowledge', 'the notes of a theme become one that keeps its sources'],
  ]),
  ...same({ kind: 'behaviour', ...capture }, [
    ['a failed capture is recovered later', 'from the transcript, by the next `drain`'],
  ]),
];

const sourceFiles: Row[] = [
  ...renamed({ kind: 'file', capability: 'recall', test: shownBy.cli }, [
    ['thehook/cli.py', '`src/cli/`, one file per command'],
  ]),
  ...renamed({ kind: 'file', ...capture }, [
    ['thehook/hooks/capture.py', '`src/hooks/run-hook.ts`'],
    ['thehook/core/transcript.py', '`src/agents/claude-transcript.ts`'],
  ]),
  ...renamed({ kind: 'file', ...prelude }, [['thehook/hooks/retrieve.py', '`src/hooks/session-start.ts`']]),
  ...renamed({ kind: 'file', ...store }, [
    ['thehook/core/store.py', '`src/store/notes/`'],
    ['thehook/core/indexer.py', '`src/store/sqlite/`'],
    ['tests/test_indexer.py', '`test/contract/stores.test.ts`'],
  ]),
  ...renamed({ kind: 'file', capability: 'install', test: shownBy.cli }, [
    ['thehook/config.py', '`src/base/config-table.ts`'],
  ]),
  ...renamed({ kind: 'file', capability: 'install', test: shownBy.install }, [
    ['pyproject.toml', '`package.json`'],
  ]),
  ...renamed({ kind: 'file', capability: 'recall', test: shownBy.recall }, [
    ['tests/test_retrieval.py', '`src/recall/recall.test.ts`'],
  ]),
  ...renamed({ kind: 'file', ...capture }, [['tests/test_transcript.py', '`test/e2e/claude-code.test.ts`']]),
  ...planned({ kind: 'file', ...distil }, [
    ['thehook/core/extractor.py', '`src/memory/distil.ts` and `src/models/`'],
    ['thehook/core/consolidator.py', '`src/memory/consolidate.ts`'],
    ['thehook/detector.py', '`src/models/`'],
    ['tests/test_extractor.py', 'beside its source'],
  ]),
];

export const theHookRows: Row[] = [
  ...commands,
  ...hooks,
  ...transcript,
  ...storage,
  ...retrieval,
  ...extraction,
  ...sourceFiles,
];
