import { adr, type Row, shownBy } from './row.ts';
import { fieldsOf, rowsOf } from './rows-of.ts';

const { same, renamed, departed, planned } = rowsOf('002');

const team = { capability: 'team' } as const;

const surface: Row[] = [
  ...same({ kind: 'route', capability: 'http', test: shownBy.teamHttp }, [
    'GET /api/projects/:id/memory/search',
    'POST /api/projects/:id/memory',
    'DELETE /api/memory/:id',
    'POST /api/projects/:id/memory/reindex',
  ]),
  ...same({ kind: 'parameter', capability: 'http', test: shownBy.teamHttp }, [
    ['GET /api/projects/:id/memory/search?q', '`q`'],
  ]),
  ...same({ kind: 'parameter', ...team, test: shownBy.teamHttp }, [
    ['principal: user', '`user`'],
    ['principal: device', '`device`'],
  ]),
  ...same({ kind: 'tool', capability: 'recall', test: shownBy.teamMcp }, [
    ['forge_memory', '`forge_memory` of a team server, `POST /mcp/:id`; at home under `--tools all`'],
  ]),
  ...same({ kind: 'parameter', capability: 'recall', test: shownBy.teamMcp }, [
    ...fieldsOf('forge_memory.search', [
      ['query', '`query`'],
      ['projectId', '`projectId`: the project of the address or of the MCP process, or left out'],
    ]),
  ]),
  ...same({ kind: 'hook', capability: 'http', test: shownBy.teamLive }, [
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
  ...same({ kind: 'behaviour', ...team, test: shownBy.plainMarkdown }, [
    ['text is normalised before it is embedded', 'the same: no Markdown, canonical whitespace'],
  ]),
  ...renamed({ kind: 'behaviour', ...team, test: shownBy.embedders }, [
    [
      'text goes to an embedding provider (LiteLLM)',
      'any OpenAI-compatible endpoint, Ollama, or the built-in model',
    ],
  ]),
  ...renamed({ kind: 'behaviour', ...team, test: shownBy.teamStore }, [
    [
      'vector and metadata are upserted in one statement',
      'in one transaction: a reader sees all of a change or none of it',
    ],
  ]),
  ...renamed({ kind: 'behaviour', ...team, test: shownBy.teamHttp }, [
    [
      'the embedding model is chosen per project',
      'every project has the model that answers for it, and every vector names its own',
      'A project goes over to another model of the server while the old one still answers.',
    ],
  ]),
  ...same({ kind: 'behaviour', ...team, test: shownBy.teamMcp }, [
    [
      'one retrieval surface for agents and chats',
      'the same search for HTTP and MCP; Backstory has no chat of its own',
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
    { kind: 'field', ...team, test: shownBy.teamHttp },
    fieldsOf('Memory', ['documentId', 'project', 'source', 'sourceRef', 'text', 'metadata', 'embeddedAt']),
  ),
  ...same(
    { kind: 'field', ...team, test: shownBy.teamBrowse },
    fieldsOf('Memory', ['source=issue', 'source=comment', 'source=job', 'source=note', 'source=knowledge']),
  ),
  ...renamed(
    { kind: 'field', ...team, test: shownBy.teamStore },
    fieldsOf('memories', [
      ['project_id', '`project` of the memory table, with the organisation before it in every key'],
      ['vector', 'a narrow table of its own, so that a scan reads vectors only'],
    ]),
  ),
  ...same(
    { kind: 'field', ...team, test: shownBy.teamStore },
    fieldsOf('memories', [
      ['source', 'a column of the memory table'],
      ['source_ref', 'a column of the memory table'],
      ['metadata', 'a column of the memory table'],
      ['embedded_at', 'a column of the memory table'],
    ]),
  ),
  ...renamed({ kind: 'limit', ...team, test: shownBy.teamHttp }, [
    ['vector(1536) unless the model says otherwise', 'as many dimensions as the model of the project has'],
  ]),
  ...departed({ kind: 'behaviour', ...team, test: shownBy.teamStore, adr: adr.team }, [
    [
      'one HNSW index over all projects, by cosine',
      'an exact scan per project, and a partial HNSW index once a project is big',
      'One shared index was measured to lose answers when filtered by project.',
    ],
  ]),
  ...same({ kind: 'behaviour', ...team, test: shownBy.teamStore }, [
    [
      'indexes on (project_id, source) and (project_id, source_ref)',
      'one unique index over project, source and reference',
    ],
    [
      'the project filter is enforced in the policy layer',
      'a search function that checks membership, and row-level security',
    ],
  ]),
  ...same({ kind: 'behaviour', capability: 'store', test: shownBy.stores }, [
    [
      'memory lives in Postgres, beside everything else',
      '`store/postgres`',
      'For teams; on one machine it is SQLite and files.',
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
  ...same({ kind: 'behaviour', capability: 'recall', test: shownBy.teamStore }, [
    ['semantic strategy', 'nearness of vectors, fused with the words'],
    [
      'graph strategy',
      'memories that speak of the same files and issues as the question or the best answers',
    ],
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
  ...renamed({ kind: 'command', ...team, test: shownBy.teamHttp }, [
    ['memory-reindexer', '`POST /api/projects/:id/memory/reindex`, without downtime'],
  ]),
  ...renamed({ kind: 'command', ...told }, [['knowledge-sync', '`backstory knowledge sync`']]),
  ...planned({ kind: 'command', ...team }, [
    ['"Reindex codebase" button', 'a button of the viewer that asks a device for it'],
  ]),
];

const openList: Row[] = [
  ...renamed({ kind: 'behaviour', capability: 'recall', test: shownBy.teamBrowse }, [
    [
      'open: explicit edges between entities',
      'edges from memories to files, issues and concepts, which search follows and `graph` shows',
    ],
  ]),
  ...renamed({ kind: 'behaviour', capability: 'http', test: shownBy.viewer }, [
    ['open: a search page for people', 'the viewer, `backstory ui`'],
  ]),
  ...renamed({ kind: 'behaviour', capability: 'distil', test: shownBy.forget }, [
    ['open: decay and forgetting', 'disuse archives a note; `backstory forget` removes it for good'],
  ]),
  ...renamed({ kind: 'behaviour', ...team, test: shownBy.teamBrowse }, [
    ['open: memory of one user', "`visibility: private`, in nobody else's list and number"],
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
