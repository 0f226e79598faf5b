import { trustTexts } from '../../src/domain/event.ts';

/** How one surface (an API, a tool or a page) shows a memory of a team: the whole response and the trust it states. */
export interface ShownOnSurface {
  surface: string;
  text: string;
  trust: unknown;
}

/**
 * Requests one memory on every surface of a team server, as agents, programs and the viewer do. `words` matches this
 * memory and no other of the project.
 */
export async function teamSurfaces(
  server: { url: string; token: string; project: string },
  memory: { id: string; words: string },
): Promise<ShownOnSurface[]> {
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
  const project = `/api/projects/${server.project}`;
  const versioned = `/api/v1/projects/${server.project}`;
  const query = encodeURIComponent(memory.words);
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire is looked at field by field
  const get = async (path: string): Promise<any> => (await fetch(`${server.url}${path}`, { headers })).json();
  const call = async (name: string, given: object) => {
    const response = await fetch(`${server.url}/mcp/${server.project}`, {
      method: 'POST',
      headers: {
        ...headers,
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: given },
      }),
    });
    const body = await response.text();
    return JSON.parse(/^data: (.*)$/m.exec(body)?.[1] ?? body).result;
  };
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const own = (all: any[], name = 'id') => all.find((one) => one[name] === memory.id);
  /** In text for agents the trust is on the line of the memory. */
  const trustOnLine = (text: string): unknown => {
    const line = text.split('\n').find((one) => one.includes(`[${memory.id.slice(0, 8)}]`)) ?? '';
    const trust = trustTexts.findIndex((words) => line.includes(` · ${words}`));
    return trust === -1 ? undefined : trust;
  };
  const shown: ShownOnSurface[] = [];
  const add = (surface: string, value: unknown, trust: unknown) =>
    shown.push({ surface, text: typeof value === 'string' ? value : JSON.stringify(value), trust });
  for (const [name, given] of [
    ['recall', { query: memory.words, format: 'full' }],
    ['recall', { query: memory.words, format: 'index' }],
    ['timeline', { anchor: memory.id }],
    ['get_notes', { ids: [memory.id] }],
  ] as const) {
    const { content } = await call(name, given);
    add(`MCP ${name}`, content[0].text, trustOnLine(content[0].text));
  }
  const forge = await call('forge_memory', { query: memory.words });
  const found = own(forge.structuredContent.results, 'documentId');
  add('MCP forge_memory', forge.structuredContent, found?.trust);
  add('MCP forge_memory, tags', forge.content[0].text, found?.metadata.trust ?? found?.trust);
  const recalled = await get(`${versioned}/recall?query=${query}`);
  add('GET recall', recalled, own(recalled.items)?.trust);
  add('GET recall, beside it', recalled, own(recalled.items)?.memory.trust);
  for (const format of ['index', 'full']) {
    const observed = await get(`${project}/search/observations?query=${query}&format=${format}`);
    add(`GET search/observations, ${format}`, observed, own(observed.results)?.trust);
  }
  const around = await get(`${versioned}/timeline?anchor=${memory.id}`);
  add('GET timeline', around, own(around.items)?.trust);
  add('GET timeline, anchor', around, around.anchor.trust);
  const records = await get(`${project}/context/timeline?anchor=${memory.id}`);
  add('GET context/timeline', records, own(records.records)?.trust);
  const opened = await get(`/api/memory/${memory.id}`);
  add('GET memory, which the viewer opens', opened, opened.memory.trust);
  const listed = await get(`${project}/memory?limit=200`);
  add('GET memory list', listed, own(listed.items, 'documentId')?.trust);
  const searched = await get(`${project}/memory/search?q=${query}`);
  add('GET memory/search', searched, own(searched.results, 'documentId')?.trust);
  return shown;
}
