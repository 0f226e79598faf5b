import { adr, type Row, shownBy } from './row.ts';
import { parametersOf, rowsOf } from './rows-of.ts';

const { same, renamed, departed, planned } = rowsOf('003');

const http = { capability: 'http', test: shownBy.serve } as const;
const skill = { capability: 'skill' } as const;

const fullText = ['GET /api/search/observations', 'GET /api/search/sessions', 'GET /api/search/prompts'];
const filtered = [
  { route: 'GET /api/search/by-type', by: 'type' },
  { route: 'GET /api/search/by-concept', by: 'concept' },
  { route: 'GET /api/search/by-file', by: 'filePath' },
];
const context = ['GET /api/context/recent', 'GET /api/context/timeline', 'GET /api/timeline/by-query'];

const routes: Row[] = [
  ...same({ kind: 'route', ...http }, [
    ...fullText,
    ...filtered.map(({ route }) => route),
    ...context,
    'GET /api/search/help',
    'GET /health',
  ]),
  ...same({ kind: 'parameter', ...http }, [
    ...parametersOf(fullText, ['query', 'type', 'project', 'limit', 'offset', 'format']),
    ...filtered.flatMap(({ route, by }) => parametersOf([route], [by, 'project', 'limit', 'format'])),
    ...parametersOf(context, ['project', 'limit', 'anchor', 'depth_before', 'depth_after']),
    ['type=bugfix', '`type=bugfix`, which means kind `fix`'],
    ['type=feature', '`type=feature`'],
    ['type=refactor', '`type=refactor`'],
    ['type=decision', '`type=decision`'],
    ['format=index', '`format=index`'],
    ['format=full', '`format=full`'],
    ['anchor by id', 'the same'],
    ['anchor by timestamp', 'the same, written out or as a number'],
  ]),
  ...renamed({ kind: 'limit', ...http }, [
    ['port 37777', '`backstory serve --port 37777`; a free port and a token by default'],
    ['index format: 50 to 100 tokens a result', 'id, kind, title of at most 200 characters, date and files'],
    ['full format: 500 to 1,000 tokens a result', 'the whole chunk, with what ranked it'],
  ]),
  ...same({ kind: 'behaviour', ...http }, [
    ['the help route answers with documentation as JSON', 'the same, beside `/api/openapi.json`'],
    ['responses can be cached', 'by ETag'],
    ['pages by offset and limit', 'the same, and by cursor'],
    ['plain REST with JSON answers, usable with curl', 'the same, with a token header'],
  ]),
  ...same({ kind: 'limit', capability: 'recall', test: shownBy.recall }, [
    ['limit: 20 by default', '20 by default'],
  ]),
];

const mcp: Row[] = [
  ...renamed({ kind: 'tool', capability: 'recall', test: shownBy.claudeCode }, [
    ['search_observations', '`recall`'],
  ]),
  ...same({ kind: 'parameter', capability: 'recall', test: shownBy.claudeCode }, [
    ['search_observations.query', '`query` of `recall`'],
  ]),
  ...renamed({ kind: 'parameter', capability: 'recall', test: shownBy.claudeCode }, [
    ['search_observations.type', '`kind` of `recall`, where `bugfix` means `fix`'],
  ]),
  ...same({ kind: 'parameter', capability: 'recall', test: shownBy.cli }, [
    ['search_observations.format', '`format` of `recall`: `index` or `full`'],
  ]),
  ...renamed({ kind: 'limit', capability: 'recall', test: shownBy.cli }, [
    ['nine MCP tools, about 2,500 tokens of definitions', 'the default tools within 1,000 tokens'],
  ]),
];

const operations = [
  'observations.md',
  'sessions.md',
  'prompts.md',
  'by-type.md',
  'by-concept.md',
  'by-file.md',
  'recent-context.md',
  'timeline.md',
  'timeline-by-query.md',
  'help.md',
  'formatting.md',
  'common-workflows.md',
];

const skillRows: Row[] = [
  ...renamed({ kind: 'file', ...skill, test: shownBy.skill }, [
    ['plugin/skills/mem-search/', '`skills/backstory/`'],
    ['plugin/skills/mem-search/SKILL.md', '`skills/backstory/SKILL.md`'],
    ['/skills/search/', '`skills/backstory/`'],
    ...operations.map((name) => [`operations/${name}`, `\`skills/backstory/operations/${name}\``] as const),
    [
      '~/.claude/plugins/marketplaces/thedotmack/plugin/skills/mem-search/',
      'where `backstory install` puts the skill for each agent',
    ],
  ]),
  ...renamed({ kind: 'limit', ...skill, test: shownBy.skill }, [
    ['skill front matter of about 250 tokens', 'at most 250 tokens'],
    ['full instructions of about 2,500 tokens, on demand', 'one file per operation, on demand'],
    [
      'effectiveness and trigger rates of the skill',
      '50 prompts that should trigger it and 50 that should not',
    ],
    [
      '2,250 tokens saved per session start',
      'a fixed cost of at most 2,750 tokens in all, printed by `doctor`',
    ],
  ]),
  ...renamed({ kind: 'behaviour', ...skill, test: shownBy.skillInstall }, [
    ['mem-search', 'the skill `backstory`'],
    ['the skill calls the HTTP API with curl', 'the skill calls the command, so that no port is needed'],
  ]),
  ...same({ kind: 'behaviour', ...skill, test: shownBy.agentSurfaces }, [
    [
      'questions about past work invoke the skill',
      'the same: its description is put before the model of every agent; how often a model follows it is not measured here',
    ],
    ['front matter, then instructions, then results', 'the same three layers'],
    ['start with an index, then open what matters', 'index line, timeline, full text'],
    ['results show kind, title, date and files', 'the same'],
  ]),
];

const engine: Row[] = [
  ...departed({ kind: 'behaviour', capability: 'capture', test: shownBy.claudeCode, adr: adr.noResident }, [
    ['a worker service always runs', 'no process has to run; `backstory serve` only while someone wants it'],
  ]),
  ...departed({ kind: 'command', capability: 'install', test: shownBy.cli, adr: adr.noResident }, [
    ['npm run worker:status', '`backstory status`'],
    ['npm run worker:restart', 'none', 'There is nothing to restart.'],
    ['npm run worker:logs', '`backstory logs`'],
  ]),
  ...planned({ kind: 'command', capability: 'install', comesWith: 'the full capture' }, [
    ['npm run sync-marketplace', 'a plugin folder with a marketplace file, part of the package'],
  ]),
  ...same({ kind: 'command', ...skill, test: shownBy.skillInstall }, [
    ['npm run build', '`npm run build`, with the skill files'],
  ]),
  ...renamed({ kind: 'file', ...http }, [
    ['src/services/worker-service.ts', '`src/http/`, one file per resource'],
  ]),
  ...renamed({ kind: 'file', capability: 'recall', test: shownBy.claudeCode }, [
    ['src/servers/mcp-server.ts', '`src/mcp/`, one file per tool'],
    ['search-server.ts', '`src/mcp/`, one file per tool'],
  ]),
  ...renamed({ kind: 'file', capability: 'install', test: shownBy.install }, [
    ['plugin/.mcp.json', '`~/.claude.json`, or `.mcp.json` with `--scope project`'],
  ]),
  ...renamed({ kind: 'field', capability: 'store', test: shownBy.stores }, [
    ['observations_fts', 'an FTS5 table of words and split identifiers in the index'],
  ]),
  ...same({ kind: 'behaviour', capability: 'store', test: shownBy.stores }, [
    ['SQLite with FTS5 full-text search', 'the same; the index is derived and can be deleted'],
  ]),
  ...planned({ kind: 'behaviour', capability: 'recall', comesWith: 'hybrid recall' }, [
    [
      'Chroma beside SQLite, for similar meaning',
      'vectors inside the same index',
      'No second engine to keep alive.',
    ],
  ]),
  ...same({ kind: 'behaviour', capability: 'recall', test: shownBy.recall }, [
    ['escapeFTS5Query', 'every term is quoted, so a question can never be read as a query'],
    ['questions in plain language', 'the same'],
  ]),
  ...planned({ kind: 'limit', capability: 'recall', comesWith: 'hybrid recall' }, [
    ['332 injection tests', '25,000 hostile questions in an evaluation'],
    ['typical queries below 10 ms', 'measured as a ratio to the bare query in the same run'],
  ]),
];

export const claudeMemSearchRows: Row[] = [...routes, ...mcp, ...skillRows, ...engine];
