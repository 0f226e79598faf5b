import { globSync, readFileSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer';
import { roughTokens } from '../../src/text/tokens.ts';
import { round } from '../../test/harness/evaluation.ts';

/**
 * Compares the token estimate with a real tokenizer on files that were not used to tune it: sources of the benchmarks,
 * guides, SQL and plugins of this repository.
 */
export function tokenRatios() {
  const groups: Record<string, string[]> = {
    TypeScript: globSync('bench/**/*.ts'),
    Markdown: globSync('docs/{guides,adr,internals}/*.md'),
    JavaScript: globSync('plugins/**/*.js'),
    JSON: globSync('bench/results/*.json'),
  };
  const ratios = Object.entries(groups).map(([name, files]) => {
    const texts = files.map((file) => readFileSync(file, 'utf8'));
    const estimated = texts.reduce((sum, text) => sum + roughTokens(text), 0);
    const counted = texts.reduce((sum, text) => sum + countTokens(text, { disallowedSpecial: new Set() }), 0);
    return [name, round(estimated / counted)] as const;
  });
  return {
    figures: Object.fromEntries(
      ratios.map(([name, ratio]) => [`tokens estimated / counted, ${name}`, ratio]),
    ),
    lowest: Math.min(...ratios.map(([, ratio]) => ratio)),
    highest: Math.max(...ratios.map(([, ratio]) => ratio)),
  };
}
