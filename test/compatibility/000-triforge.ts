import { adr, type Row, shownBy } from './row.ts';
import { rowsOf } from './rows-of.ts';

const { same, renamed, departed, planned } = rowsOf('000');

const servers: Row[] = [
  ...renamed({ kind: 'tool', capability: 'recall', test: shownBy.claudeCode }, [
    ['triforge-memory', 'MCP server `backstory`'],
  ]),
  ...planned({ kind: 'tool', capability: 'code-search' }, [
    ['semble', '`search_content`, `find_files`, `context_pack` of the same MCP server'],
  ]),
  ...departed({ kind: 'tool', capability: 'team', test: shownBy.stores, adr: adr.stores }, [
    [
      'insforge',
      'SQLite on one machine, Postgres with pgvector for a team',
      'Object storage and hosted functions are no part of memory.',
    ],
  ]),
  ...departed({ kind: 'route', capability: 'team', test: shownBy.stores, adr: adr.stores }, [
    [
      'https://mcp.insforge.dev/mcp',
      'none',
      'Nothing leaves the machine unless a team server is configured.',
    ],
  ]),
  ...departed({ kind: 'behaviour', capability: 'install', test: shownBy.install, adr: adr.onePackage }, [
    [
      'three MCP servers installed side by side',
      'one package with one MCP server',
      'One thing to install and to upgrade.',
    ],
  ]),
  ...planned({ kind: 'limit', capability: 'code-search' }, [
    ['code search in 19 languages', 'text search in every language; symbols where a parser is at hand'],
  ]),
  ...planned({ kind: 'behaviour', capability: 'code-search' }, [
    ['hybrid code search, BM25 and semantic', '`search_content`, `context_pack`, and `search --meaning`'],
  ]),
  ...same({ kind: 'behaviour', capability: 'recall', test: shownBy.claudeCode }, [
    ['search costs tokens only when the agent asks', 'the MCP tools answer when they are called'],
  ]),
];

const toolsAndCommands: Row[] = [
  ...same({ kind: 'tool', capability: 'recall', test: shownBy.mcpTools }, [
    ['rag_search', '`rag_search` under `--tools all`; `recall` by default'],
  ]),
  ...same({ kind: 'parameter', capability: 'recall', test: shownBy.mcpTools }, [
    ['rag_search.query', '`query`'],
  ]),
  ...renamed({ kind: 'command', capability: 'install', test: shownBy.install }, [
    ['triforge install', '`backstory install claude-code`'],
    ['triforge', '`backstory`, and `backstory-hook` for what an agent triggers'],
  ]),
  ...renamed({ kind: 'command', capability: 'capture', test: shownBy.cli }, [
    [
      '/rag',
      '`backstory init`',
      'Needed only where `capture` is "opted-in"; by default every project is captured.',
    ],
  ]),
  ...renamed({ kind: 'command', capability: 'store', test: shownBy.claudeCode }, [
    ['triforge-indexer', '`backstory drain`'],
  ]),
];

const hooks: Row[] = [
  ...same({ kind: 'hook', capability: 'capture', test: shownBy.claudeCode }, [
    ['Stop', '`Stop`', 'The answer is on disk when the hook returns; no model is asked.'],
  ]),
  ...same({ kind: 'hook', capability: 'store', test: shownBy.claudeCode }, [
    ['SessionEnd', '`SessionEnd`', '`Stop` and `PreCompact` start the background work too.'],
  ]),
  ...same({ kind: 'hook', capability: 'prelude', test: shownBy.claudeCode }, ['SessionStart']),
  ...same({ kind: 'field', capability: 'prelude', test: shownBy.claudeCode }, [
    'hookSpecificOutput.additionalContext',
  ]),
];

const pipeline: Row[] = [
  ...same({ kind: 'behaviour', capability: 'capture', test: shownBy.claudeCode }, [
    ['capture needs no model', 'a hook appends to a file and ends'],
    ['thinking and tool blocks are left out of what was said', 'answers hold text blocks only'],
    [
      'indexing runs detached and does not hold up the end of a session',
      '`backstory drain`, started detached',
    ],
    ['indexing twice changes nothing', 'events are folded by their ids'],
    ['paths hold no separators of one system', 'paths are kept relative to the repository, with `/`'],
  ]),
  ...same({ kind: 'behaviour', capability: 'capture', test: shownBy.redact }, [
    ['secrets are redacted before the write', 'redacted before the first byte reaches the disk'],
  ]),
  ...renamed({ kind: 'behaviour', capability: 'capture', test: shownBy.cli }, [
    [
      'nothing happens in a project until it is activated',
      '`capture = "opted-in"`',
      'The default is "all", which `install` says; `off`, `pause` and `exclude` narrow it.',
    ],
  ]),
  ...renamed({ kind: 'field', capability: 'capture', test: shownBy.eventLog }, [
    ['chats.jsonl: user', 'event of kind `prompt`'],
    ['chats.jsonl: assistant', 'event of kind `answer`'],
  ]),
  ...planned({ kind: 'behaviour', capability: 'distil' }, [
    ['summary by a model', '`summary` notes, once the user allowed a model'],
    ['summary without a model', '`summary` notes, extracted deterministically'],
    ['entity triples by a model (OpenIE)', 'entity triples for the graph, once the user allowed a model'],
    ['model steps run only when a provider is up', 'the same, and only under a spending cap'],
  ]),
  ...same({ kind: 'behaviour', capability: 'recall', test: shownBy.recall }, [
    ['BM25 arm', 'the lexical arm, over words and split identifiers'],
    ['top-K chunks', 'hits, `limit` of them'],
  ]),
  ...planned({ kind: 'behaviour', capability: 'recall', comesWith: 'hybrid recall' }, [
    ['dense cosine arm', 'the vector arm'],
    ['graph arm by personalised PageRank', 'the graph arm', 'On where its evaluation pays.'],
    ['reciprocal rank fusion', 'the same, or what the evaluations favour'],
  ]),
  ...departed({ kind: 'limit', capability: 'prelude', test: shownBy.claudeCode, adr: adr.hook }, [
    [
      'recap of at most 3,500 characters',
      'at most 1,500 tokens and 9,000 characters',
      'Rendered ahead of time by `drain`, so a longer one costs the hook nothing.',
    ],
  ]),
];

const files: Row[] = [
  ...same({ kind: 'file', capability: 'install', test: shownBy.install }, ['~/.claude.json']),
  ...renamed({ kind: 'file', capability: 'install', test: shownBy.install }, [
    [
      '.claude/settings.local.json',
      '`~/.claude/settings.json`, or `.claude/settings.json` with `--scope project`',
    ],
  ]),
  ...renamed({ kind: 'file', capability: 'store', test: shownBy.claudeCode }, [
    ['~/.claude/triforge/', '`~/.backstory/projects/`', 'Moved by `BACKSTORY_HOME`; not tied to one agent.'],
  ]),
  ...departed({ kind: 'file', capability: 'store', test: shownBy.cli, adr: adr.truth }, [
    [
      '{sha256(abs_path)[:12]}/',
      '`projects/<id>/`, the id from the git remote, else the root commit, else the real path',
      'Clones and worktrees share one memory.',
    ],
  ]),
  ...renamed({ kind: 'file', capability: 'store', test: shownBy.eventLog }, [
    [
      'chats.jsonl',
      '`events/YYYY-MM.jsonl`',
      'One line per event, with a checksum; `backstory import` will read theirs.',
    ],
  ]),
  ...departed({ kind: 'file', capability: 'store', test: shownBy.stores, adr: adr.indexFiles }, [
    [
      'state.json',
      'kept inside the index',
      'Position and rows are written in one transaction, so a kill cannot part them.',
    ],
  ]),
  ...renamed({ kind: 'field', capability: 'store', test: shownBy.stores }, [
    ['state.json: last_indexed_offset', '`progress` of the index, per log file'],
  ]),
  ...planned({ kind: 'file', capability: 'recall', comesWith: 'hybrid recall' }, [
    ['vectors/', '`index/<schema>-<generation>.db`'],
    ['vectors/YYYYMMDDTHHMMSS.parquet', '`index/<schema>-<generation>.db`'],
    ['kg.pkl', '`index/<schema>-<generation>.db`'],
    ['~/.cache/huggingface/hub/', 'none', 'The model is part of the package.'],
  ]),
  ...renamed({ kind: 'file', capability: 'prelude', test: shownBy.claudeCode }, [
    ['summary.md', '`prelude.json`', 'What a new session is told; the summaries themselves become notes.'],
  ]),
  ...renamed({ kind: 'file', capability: 'capture', test: shownBy.cli }, [
    ['errors.log', '`failures.jsonl`, shown by `backstory logs` and `doctor`'],
  ]),
];

const platforms: Row[] = [
  ...renamed({ kind: 'behaviour', capability: 'store', test: shownBy.stores }, [
    ['portalocker around flock and LockFileEx', '`writer.lock`, held by the kernel through SQLite'],
  ]),
  ...same({ kind: 'behaviour', capability: 'install', test: shownBy.install }, [
    [
      'hooks name the program by its absolute path',
      'an absolute Node path and `hook.cjs`, quoted; shared project settings name `backstory-hook`',
    ],
  ]),
  ...renamed({ kind: 'parameter', capability: 'capture', test: shownBy.claudeCode }, [
    ['CLAUDE_PROJECT_DIR', '`cwd` on the stdin of the hook; the MCP server reads the variable too'],
  ]),
  ...departed({ kind: 'limit', capability: 'install', test: shownBy.cli, adr: adr.node }, [
    ['Python 3.10, 3.11, 3.12', 'Node 22.23 or later', 'No second runtime beside the one the agents need.'],
  ]),
];

const model: Row[] = planned({ kind: 'limit', capability: 'recall', comesWith: 'hybrid recall' }, [
  ['minishlab/potion-base-8M', 'a static model of our own, stamped with its hash'],
  ['model of about 30 MB', 'at most 10 MB, inside the package'],
  ['256-dimensional float32 vectors', 'int8 vectors, each with its model id'],
  ['encodes a chunk in about 1 ms', 'reported by an evaluation'],
  ['no GPU and no PyTorch', 'no native code at all'],
  ['multilingual', 'no arm worse than words alone in Russian, Chinese and mixed questions'],
  ['model downloaded on first run', 'no download'],
]);

export const triforgeRows: Row[] = [
  ...servers,
  ...toolsAndCommands,
  ...hooks,
  ...pipeline,
  ...files,
  ...platforms,
  ...model,
];
