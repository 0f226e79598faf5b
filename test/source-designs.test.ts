import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localSearchAliases, timelineAliases } from '../src/http/aliases.ts';

/**
 * The page names commands (`backstory recall --kind K`), routes (`GET /api/v1/recall`) and, in its column "Provided by",
 * MCP tools (`recall`). They are compared with the reference, which is generated from the product; `npm run check`
 * fails when the reference is out of date.
 */
const path = 'docs/explanation/source-designs.md';
const page = readFileSync(path, 'utf8');

const codeIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code as string);
const reference = (name: string): string => readFileSync(`docs/reference/${name}.md`, 'utf8');

const tools = new Set([...reference('mcp').matchAll(/^## `(\w+)`$/gm)].map(([, name]) => name));
const isRoute = (name: string): boolean => /^(?:GET|POST|PATCH|DELETE) \//.test(name);
const routes = new Set(codeIn(reference('http') + reference('team-http')).filter(isRoute));
const usages = codeIn(reference('cli').replace(/^(?!###).*$/gm, '')).map((usage) => usage.split(/[^\w-]+/));

/** Whether one documented usage contains all words of the command. Words in capitals are values. */
const isCommand = (name: string): boolean => {
  const words = name.split(' ').filter((word) => word !== word.toUpperCase());
  return usages.some((usage) => usage[1] === words[1] && words.every((word) => usage.includes(word)));
};

function unknownNames(text: string): string[] {
  const providers = text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => codeIn(line.split('|')[2] ?? ''));
  const elsewhere = codeIn(text).filter((name) => isRoute(name) || /^backstory [a-z]/.test(name));
  return [...new Set([...providers, ...elsewhere])].filter((name) =>
    isRoute(name) ? !routes.has(name) : name.startsWith('backstory ') ? !isCommand(name) : !tools.has(name),
  );
}

describe('the page on the source designs', () => {
  it('names only commands, tools and routes that exist', () => {
    expect(codeIn(page).length).toBeGreaterThan(100);
    expect(unknownNames(page)).toEqual([]);
  });

  it('is reported if it names others', () => {
    const wrong = [
      '| Poems | `backstory rhyme`, `backstory recall --rhyme`, `write_poem`, `GET /api/poems` | |',
      'See `backstory search --meaning` and `POST /api/v1/recall`.',
    ];
    expect(unknownNames(wrong.join('\n'))).toHaveLength(6);
  });

  it('names every alias route of another design', () => {
    const local = [...localSearchAliases, ...timelineAliases].map((alias) => `GET /api/${alias.path}`);
    expect(local.filter((name) => !codeIn(page).includes(name))).toEqual([]);
  });

  it('links only to files that exist, and has at most 1,500 words', () => {
    const links = [...page.matchAll(/\]\(([^)#]+)/g)].map(([, link]) => join(dirname(path), link as string));
    expect(links.filter((link) => !existsSync(link))).toEqual([]);
    expect(page.split(/\s+/).filter((word) => /\w/.test(word)).length).toBeLessThanOrEqual(1_500);
  });
});
