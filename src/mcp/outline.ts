import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import { linesOf, type OutlineEntry, outlineEntries } from '../code/outline-entries.ts';
import { answerTimeoutMs } from '../code/search.ts';
import type { CodeSymbol } from '../code/symbols/symbol.ts';
import { limitCap } from '../recall/hit.ts';
import { plural } from '../text/plural.ts';
import { outlineShape } from '../wire/code.ts';
import { cutText } from './answer.ts';
import { searchTool } from './paged-answer.ts';

/** If a file has more symbols than this, its outline omits fields, enum members and nested functions. */
const maxFullOutlineSymbols = 60;

export const outline = searchTool({
  name: 'outline',
  title: 'Outline a file',
  description: 'Symbols that a file defines, with their lines. Read those lines instead of the whole file.',
  schema: z.object({
    ...outlineShape,
    within: z.string().optional().describe('Only what this symbol contains'),
    limit: z.number().int().min(1).max(limitCap).default(limitCap),
    cursor: z.string().optional(),
    force_refresh: z.boolean().optional(),
  }),
  async find(_parts, code, { path, within, limit }, offset) {
    const found = await code.outline({ path, deadlineMs: answerTimeoutMs });
    const symbols = within === undefined ? found.symbols : symbolsIn(found.symbols, within);
    const detail = symbols.length > maxFullOutlineSymbols && within === undefined ? 'main' : 'all';
    const entries = outlineEntries(symbols, detail);
    const isShort = entries.length < symbols.length;
    const how =
      found.how === 'parsed' ? '' : '; no parser for this language: lines that look like definitions';
    const end = offset + limit;
    return {
      query: path,
      question: ['outline', path, within, limit, offset],
      found: { ...found, route: routeOf(found), nextOffset: entries.length > end ? end : undefined },
      results: entries.slice(offset, end).map(toResult),
      head: (shown) =>
        `${found.path}${found.language === undefined ? '' : ` (${found.language})`}: ${plural(found.lineCount, 'line')}, ${plural(symbols.length, 'symbol')}${isShort ? `, ${entries.length} without fields and nested ones (use within to see them)` : ''}${shown < entries.length ? `, ${shown} shown` : ''}${how}`,
      line: ({ depth, start_line, end_line, kind, signature }) =>
        `${'  '.repeat(depth)}${linesOf({ startLine: start_line, endLine: end_line } as CodeSymbol)} ${signature.includes(kind) ? '' : `${kind} `}${signature}`,
      fields: {
        path: found.path,
        language: found.language ?? null,
        lines: found.lineCount,
        total_symbols: symbols.length,
        detail,
      },
    };
  },
});

const maxSignatureLength = 120;

const toResult = ({ name, kind, container, depth, startLine, endLine, signature, inner }: OutlineEntry) => ({
  name,
  kind,
  container,
  depth,
  start_line: startLine,
  end_line: endLine,
  signature: cutText(signature, maxSignatureLength),
  inner,
});

function symbolsIn(symbols: CodeSymbol[], name: string): CodeSymbol[] {
  const outer = symbols.find((each) => each.name === name || `${each.container}.${each.name}` === name);
  if (outer === undefined)
    throw new AppError('NOT_FOUND', `the file defines no ${name}`, {
      hint: 'Call outline without within to see all symbols',
    });
  // Also match by container name, because in some languages, such as Go, methods are written outside their type.
  return symbols.filter(
    ({ startLine, endLine, container }) =>
      (startLine >= outer.startLine && endLine <= outer.endLine) || container.split('.').includes(name),
  );
}

const routeOf = ({ how, reason }: { how: string; reason?: string | undefined }) => ({
  strategy: 'direct_scan' as const,
  reason: how === 'parsed' ? 'parsed' : (reason ?? 'no_parser'),
});
