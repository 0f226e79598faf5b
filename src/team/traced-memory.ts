import { type Attributes, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import { parseObject, record } from '../base/json.ts';
import type { TeamMcp } from './parts.ts';
import { inSpan } from './span.ts';
import type { ProjectWork, TeamStore } from './store/team-store.ts';

/**
 * Spans of memory operations and MCP requests by OpenTelemetry's conventions for generative AI. The conventions make
 * texts optional; here they are never recorded, and neither are ids of projects and memories.
 */

/** Makes a span of each search, save and removal, with the number of memories. */
export function traceMemory(store: TeamStore, tracer: Tracer): TeamStore {
  const traced = <T>(operation: string, countOf: (result: T) => number, work: () => Promise<T>): Promise<T> =>
    inSpan(
      tracer,
      operation,
      { kind: SpanKind.INTERNAL, attributes: { 'gen_ai.operation.name': operation } },
      async (span) => {
        const result = await work();
        span.setAttribute('gen_ai.memory.record.count', countOf(result));
        return result;
      },
    );
  const tracedWork = (project: ProjectWork): ProjectWork => ({
    ...project,
    save: (memories, model) =>
      traced(
        'upsert_memory',
        ({ length }) => length,
        () => project.save(memories, model),
      ),
    remove: (id) => traced('delete_memory', Number, () => project.remove(id)),
    removeSource: (source, ref) => traced('delete_memory', Number, () => project.removeSource(source, ref)),
    withdrawNotes: (refs) =>
      traced(
        'delete_memory',
        ({ length }) => length,
        () => project.withdrawNotes(refs),
      ),
  });
  return {
    ...store,
    search: (token, project, question) =>
      traced(
        'search_memory',
        ({ found }) => found.length,
        () => store.search(token, project, question),
      ),
    inProject: (token, project, work) => store.inProject(token, project, (own) => work(tracedWork(own))),
  };
}

/** Names that clients send are recorded only if they are these: anything else may be what a user wrote. */
const methods = new Set([
  'initialize',
  'notifications/initialized',
  'notifications/cancelled',
  'ping',
  'subscriptions/listen',
  'tools/call',
  'tools/list',
]);
const tools = new Set(['forge_memory', 'get_notes', 'recall', 'remember', 'timeline']);

/** Makes a span of each MCP request, named after its method and tool. */
export const traceMcp = (mcp: TeamMcp, tracer: Tracer): TeamMcp => ({
  close: mcp.close,
  answer(request, body, caller) {
    const { method, params } = parseObject(body ?? '') ?? {};
    if (typeof method !== 'string') return mcp.answer(request, body, caller);
    const known = methods.has(method) ? method : '_OTHER';
    const { name } = record(params);
    const tool = known === 'tools/call' && typeof name === 'string' && tools.has(name) ? name : undefined;
    const version = /^\d{4}-\d\d-\d\d$/.exec(request.headers.get('mcp-protocol-version') ?? '')?.[0];
    const attributes: Attributes = {
      'mcp.method.name': known,
      ...(known === 'tools/call' && { 'gen_ai.operation.name': 'execute_tool' }),
      ...(tool !== undefined && { 'gen_ai.tool.name': tool }),
      ...(version !== undefined && { 'mcp.protocol.version': version }),
      'network.protocol.name': 'http',
    };
    const spanName = tool === undefined ? known : `${known} ${tool}`;
    return inSpan(tracer, spanName, { kind: SpanKind.SERVER, attributes }, async (span) => {
      const response = await mcp.answer(request, body, caller);
      // A tool that fails is a response with status 200. The text of a finished call is already in memory.
      if (known === 'tools/call' && /"isError":\s*true/.test(await response.clone().text()))
        span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', 'tool_error');
      return response;
    });
  },
});
