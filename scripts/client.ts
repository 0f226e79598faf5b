import { readFileSync } from 'node:fs';
import { openApiDocument } from '../src/api/openapi.ts';
import { describedRoutes } from '../src/http/routes.ts';
import { teamOpenApi } from '../src/team/http/app.ts';
import { type FieldStyle, type Schema, typeText } from './shape-text.ts';

interface Parameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description?: string;
  schema: Schema;
}

export interface Operation {
  operationId: string;
  summary: string;
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

export const openApiDocuments = {
  serve: openApiDocument(describedRoutes, '1') as unknown as OpenApi,
  team: teamOpenApi('1') as unknown as OpenApi,
};

/**
 * The source of the API client: the files of `client`, the types, and a method for each operation. It is one file without
 * imports, so that the compiler's output needs nothing beside it.
 */
export function clientSource(): string {
  const { serve, team } = openApiDocuments;
  return [
    ...clientFiles.map((file) => readFileSync(file, 'utf8').replaceAll(/^import .*\n/gm, '')),
    // Names of schemas are unique among all answers, so both servers can share them.
    ...Object.entries({ ...serve.components.schemas, ...team.components.schemas }).map(
      ([name, schema]) =>
        `${commentOf(schema.description)}export type ${name} = ${typeText(schema, answerField)};`,
    ),
    clientOf('serve', serve),
    clientOf('team', team),
    connectText,
  ].join('\n');
}

const clientFiles = ['client/request.ts', 'client/events.ts', 'client/local-server.ts'];

const connectText = `/** Connects to \`backstory serve\` of this user, and starts it if it is not running. Only in Node. */
export const connect = async (options: ConnectOptions = {}): Promise<ServeClient> =>
  serveClient(await localConnection(options));`;

function clientOf(server: string, { paths, components }: OpenApi): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => isForClients(operation))
      .map(([method, operation]) => ({ call: `${method.toUpperCase()} ${path}`, operation })),
  );
  const type = `${server === 'serve' ? 'Serve' : 'Team'}Client`;
  const table = operations.map(({ call, operation }) => [
    operation.operationId,
    isStream(operation) ? `STREAM ${call}` : call,
  ]);
  return `export interface ${type} {
${operations.map(({ operation }) => methodText(operation, components.schemas)).join('\n')}
}
const ${server}Operations = ${JSON.stringify(Object.fromEntries(table))};
export const ${server}Client = (connection: Connection): ${type} =>
  methodsOf(connection, ${server}Operations, follow) as unknown as ${type};`;
}

/**
 * Left out: second paths of an operation, pages for people, MCP, which has clients of its own, and webhooks, whose
 * signed body only a forge can send.
 */
export function isForClients(operation: Operation): boolean {
  const media = answerOf(operation);
  return (
    !operation.operationId.endsWith('Alias') &&
    operation.operationId !== 'deliverWebhook' &&
    (isStream(operation) || (media.type === 'application/json' && Object.keys(media.schema).length > 0))
  );
}

function answerOf({ responses }: Operation): { type: string; schema: Schema } {
  const [, answer] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const [type, { schema }] = Object.entries(answer?.content ?? {})[0] ?? ['', { schema: {} }];
  return { type, schema };
}

const isStream = (operation: Operation): boolean => answerOf(operation).type === 'text/event-stream';

function methodText(operation: Operation, schemas: OpenApi['components']['schemas']): string {
  const params = paramsOf(operation);
  const isOptional = (params.required ?? []).length === 0;
  const { schema } = answerOf(operation);
  const given = typeText(params, parameterField);
  const answer = typeText(schema, answerField);
  const signature = `(params${isOptional ? '?' : ''}: ${given}, options?: CallOptions)`;
  const head = `${commentOf(operation.summary)}${operation.operationId}`;
  if (isStream(operation)) return `${head}${signature}: AsyncGenerator<${answer}>;`;
  if (!isPaged(schemas[answer] ?? schema, params)) return `${head}${signature}: Promise<${answer}>;`;
  return `${head}: Paged<${given}${isOptional ? ' | void' : ''}, ${answer}>;`;
}

const isPaged = ({ properties }: Schema, params: Schema): boolean =>
  properties?.items !== undefined &&
  properties.nextCursor !== undefined &&
  params.properties?.cursor !== undefined;

function paramsOf({ parameters, requestBody }: Operation): Schema {
  const body = requestBody?.content['application/json']?.schema ?? {};
  return {
    properties: {
      ...Object.fromEntries(
        parameters.map(({ name, description, schema }) => [
          name,
          { ...schema, ...(description === undefined ? {} : { description }) },
        ]),
      ),
      ...body.properties,
    },
    required: [
      ...parameters.filter(({ required }) => required).map(({ name }) => name),
      ...(body.required ?? []),
    ],
  };
}

const answerField: FieldStyle = ({ name, type, isRequired, description, indent }) =>
  `${commentOf(description, indent)}${indent}${name}${isRequired ? '' : '?'}: ${type};`;

/** Callers may pass `undefined` for a parameter that they do not have. */
const parameterField: FieldStyle = ({ name, type, isRequired, description, indent }) =>
  `${commentOf(description, indent)}${indent}${name}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : ' | undefined'};`;

const commentOf = (text: string | undefined, indent = ''): string =>
  text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n`;
