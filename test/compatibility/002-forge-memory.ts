import { adr, type Row, shownBy } from './row.ts';
import { fieldsOf, rowsOf } from './rows-of.ts';

const { same, renamed, departed, planned } = rowsOf('002');

const team = { capability: 'team' } as const;

const surface: Row[] = [
  ...same({ kind: 'route', capability: 'http', test: shownBy.serve }, [
    'GET /api/projects/:id/memory/search',
    'POST /api/projects/:id/memory',
    'DELETE /api/memory/:id',
    'POST /api/projects/:id/memory/reindex',
  ]),
  ...same({ kind: 'parameter', capability: 'http', test: shownBy.serve }, [
    ['GET /api/projects/:id/memory/search?q', '`q`'],
  ]),
  ...planned({ kind: 'parameter', ...team }, [
    ['principal: user', '`user`'],
    ['principal: device', '`device`'],
  ]),
  ...same({ kind: 'tool', capability: 'recall', test: shownBy.mcpTools }, [
    ['forge_memory', '`forge_memory` under `--tools all`; `recall` by default'],
  ]),
  ...same({ kind: 'parameter', capability: 'recall', test: shownBy.mcpTools }, [
    ...fieldsOf('forge_memory.search', [
      ['query', '`query`'],
      ['projectId', '`projectId`: the project of the MCP process, or left out'],
    ]),
  ]),
  ...same({ kind: 'hook', capability: 'http', test: shownBy.serve }, [
    ['memory:indexed', '`memory:indexed`, by WebSocket and SSE'],
  ]),
];

const told = { ...team, test: shownBy.teamSources } as const;

const sources: Row[] = [
  ...same({ kind: 'hook', ...told }, [
    ['issue:created', '`issue:created` of `POST /api/projects/:id/lifecycle`, or a webhook'],
    ['issue:updated', '`issue:updated`; and `issue:deleted`'],
    ['job:completed', '`job:completed`'],
    ['comments lifecycle', '`comment:created`, `comment:updated`, `comment:deleted`'],
  ]),
  ...same({ kind: 'behaviour', ...told }, [
    ['issue titles and descriptions are remembered', 'the same'],
    ['comment bodies are remembered', 'the same'],
    ['job outputs are remembered', 'the same: an agent session with its decisions, errors and files'],
    ['an edited source replaces its memory', 'the same, and a deleted one removes it'],
  ]),
  ...planned({ kind: 'behaviour', ...team }, [
    ['text is normalised before it is embedded', 'the same: no Markdown, canonical whitespace'],
    [
      'text goes to an embedding provider (LiteLLM)',
      'any OpenAI-compatible endpoint, Ollama, or the built-in model',
    ],
    ['vector and metadata are upserted in one statement', 'the same'],
    ['the embedding model is chosen per project', 'the same; every vector carries its model'],
    [
      'one retrieval surface for agents and chats',
      'the same API for every client; Backstory has no chat of its own',
    ],
  ]),
  ...renamed(
    { kind: 'field', ...told },
    fieldsOf('sessionContext', [
      ['decisions', '`sessionContext.decisions` of `job:completed`'],
      ['resolved errors', '`sessionContext.resolvedErrors`'],
      ['files modified', '`sessionContext.filesModified`, which also tie the memory to the files'],
    ]),
  ),
  ...renamed({ kind: 'behaviour', capability: 'store', test: shownBy.cli }, [
    ['people add notes by hand', '`backstory remember`', 'The viewer gets a form for it too.'],
  ]),
];

const memoryRecord: Row[] = [
  ...same(
    { kind: 'field', ...told },
    fieldsOf('Memory', ['source=issue', 'source=comment', 'source=job', 'source=knowledge']),
  ),
  ...planned(
    { kind: 'field', ...team },
    fieldsOf('Memory', [
      'documentId',
      'project',
      'source',
      'source=note',
      'sourceRef',
      'text',
      'metadata',
      'embeddedAt',
    ]),
  ),
  ...planned(
    { kind: 'field', ...team },
    fieldsOf('memories', [
      ['project_id', 'a column of the memory table, part of every key'],
      ['source', 'a column of the memory table'],
      ['source_ref', 'a column of the memory table'],
      ['metadata', 'a column of the memory table'],
      ['embedded_at', 'a column of the vector table'],
      ['vector', 'a narrow table of its own, so that a scan reads vectors only'],
    ]),
  ),
  ...planned({ kind: 'limit', ...team }, [
    ['vector(1536) unless the model says otherwise', 'as many dimensions as the model of the project has'],
  ]),
  ...planned({ kind: 'behaviour', ...team }, [
    [
      'one HNSW index over all projects, by cosine',
      'an exact scan per project, and a partial HNSW index once a project is big',
      'One shared index was measured to lose answers when filtered by project.',
    ],
    ['indexes on (project_id, source) and (project_id, source_ref)', 'the same'],
    [
      'the project filter is enforced in the policy layer',
      'a search function that checks membership, and row-level security',
    ],
  ]),
  ...same({ kind: 'behaviour', capability: 'store', test: shownBy.stores }, [
    [
      'memory lives in Postgres, beside everything else',
      '`store/postgres`',
      'Notes and full text today; vectors with the team server.',
    ],
  ]),
];

const retrieval: Row[] = [
  ...same({ kind: 'behaviour', capability: 'prelude', test: shownBy.claudeCode }, [
    ['a new agent session is given relevant memory', 'the prelude'],
  ]),
  ...departed({ kind: 'behaviour', capability: 'prelude', test: shownBy.claudeCode, adr: adr.hook }, [
    [
      'the memory for a new session is searched while it starts',
      'the prelude is rendered ahead of time and only read',
      'A session must not wait for a search, a model or a server.',
    ],
  ]),
  ...same({ kind: 'behaviour', capability: 'recall', test: shownBy.recall }, [
    ['search stays within one project unless told otherwise', 'the same'],
    ['keyword strategy', 'the lexical arm'],
    ['results sorted by relevance, K of them', 'hits, best first, `limit` of them'],
  ]),
  ...planned({ kind: 'behaviour', capability: 'recall', comesWith: 'hybrid recall' }, [
    ['semantic strategy', 'the vector arm'],
    ['graph strategy', 'the graph arm', 'On where its evaluation pays.'],
  ]),
];

const knowledge: Row[] = [
  ...renamed({ kind: 'file', capability: 'distil', test: shownBy.knowledge }, [
    ['.forge/knowledge.json', '`.backstory/knowledge.json`', 'Theirs is read too.'],
  ]),
  ...renamed(
    { kind: 'field', capability: 'distil', test: shownBy.knowledge },
    fieldsOf('.forge/knowledge.json', [
      ['architecture notes', '`architecture`'],
      ['key files', '`keyFiles`'],
      ['conventions', '`conventions`'],
    ]),
  ),
  ...renamed({ kind: 'command', capability: 'distil', test: shownBy.knowledge }, [
    ['index-codebase', '`backstory knowledge build`'],
  ]),
  ...renamed({ kind: 'command', ...told }, [['knowledge-sync', '`backstory knowledge sync`']]),
  ...planned({ kind: 'command', ...team }, [
    ['memory-reindexer', '`reindex vectors` of the team server, without downtime'],
    ['"Reindex codebase" button', 'a button of the viewer that asks a device for it'],
  ]),
];

const openList: Row[] = [
  ...planned({ kind: 'behaviour', capability: 'recall', comesWith: 'hybrid recall' }, [
    [
      'open: explicit edges between entities',
      'edges between files, symbols, commits, notes and agent sessions',
    ],
  ]),
  ...planned({ kind: 'behaviour', capability: 'http' }, [
    ['open: a search page for people', 'the viewer, `backstory ui`'],
  ]),
  ...renamed({ kind: 'behaviour', capability: 'distil', test: shownBy.forget }, [
    ['open: decay and forgetting', 'disuse archives a note; `backstory forget` removes it for good'],
  ]),
  ...planned({ kind: 'behaviour', ...team }, [
    ['open: memory of one user', 'private notes that a sync leaves alone'],
  ]),
];

export const forgeMemoryRows: Row[] = [
  ...surface,
  ...sources,
  ...memoryRecord,
  ...retrieval,
  ...knowledge,
  ...openList,
];
