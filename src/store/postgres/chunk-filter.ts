import type { ChunkFilter } from '../../domain/chunk.ts';
import { plainText, plainTexts } from './plain-text.ts';

/** Takes a value and gives its placeholder, `$1` and so on. */
export type Bind = (value: unknown) => string;

/** A filter as SQL conditions on `chunk c`, with every value bound. Means what the other stores make of it. */
export function filterSql(filter: ChunkFilter, bind: Bind): string[] {
  const conditions: string[] = [];
  const equals = (column: string, value: string | undefined) => {
    if (value !== undefined) conditions.push(`c.${column} = ${bind(plainText(value))}`);
  };
  equals('source', filter.source);
  equals('agent', filter.agent);
  equals('agent_session', filter.agentSession);
  equals('turn', filter.turn);
  equals('branch', filter.branch);
  if (filter.kinds !== undefined) conditions.push(`c.kind = any(${bind(plainTexts(filter.kinds))})`);
  if (filter.since !== undefined) conditions.push(`c.at >= ${bind(Math.ceil(filter.since))}`);
  if (filter.until !== undefined) conditions.push(`c.at <= ${bind(Math.floor(filter.until))}`);
  if (filter.minTrust !== undefined) conditions.push(`c.trust >= ${bind(filter.minTrust)}`);
  if (filter.pinned !== undefined) conditions.push(`c.pinned = ${bind(filter.pinned)}`);
  if (filter.concept !== undefined) conditions.push(`${bind(plainText(filter.concept))} = any(c.concepts)`);
  if (filter.file !== undefined) {
    const file = plainPath(filter.file);
    const [whole, end] = [bind(file), bind(`/${file}`)];
    conditions.push(
      `exists (select 1 from unnest(c.paths) path where path = ${whole} or right(path, length(${end})) = ${end})`,
    );
  }
  if (filter.folder !== undefined) {
    const folder = `${plainPath(filter.folder).replace(/\/+$/, '')}/`;
    conditions.push(`exists (select 1 from unnest(c.paths) path where starts_with(path, ${bind(folder)}))`);
  }
  return conditions;
}

const plainPath = (path: string): string =>
  plainText(path)
    .replaceAll('\\', '/')
    .replace(/^\.?\/+/, '');
