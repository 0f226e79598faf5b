import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRandom } from '../test/harness/random.ts';

/**
 * Draws the sample of a reading test: 20 comments or sentences and 10 file names from each of ten areas. Readers who
 * have never seen the project say what each means. A comment comes with the name that it documents, a sentence with the
 * one before it, and neither with code. `node scripts/reading-sample.ts SEED` prints the sample as JSON.
 */
const areas: Record<string, RegExp> = {
  'team server': /^src\/team\//,
  'code search': /^src\/code\//,
  'storage, git and base': /^src\/(?:store|git|base)\//,
  memory: /^src\/memory\//,
  'recall, drift and why': /^src\/(?:recall|text|drift|why|domain)\//,
  'agents and handoff': /^src\/(?:agents|memo|handoff|pack|knowledge|models|spend)\//,
  'command line': /^src\/(?:cli|cmd|hooks|remote)\//,
  'MCP and HTTP': /^src\/(?:mcp|http|wire)\//,
  'viewer, tests and benchmarks': /^(?:web|test\/(?:harness|faults|support)|bench)\/.*\.tsx?$/,
  documentation:
    /^(?:docs\/(?:guides|explanation|adr|internals)\/.*|README|CONTRIBUTING|SECURITY|ARCHITECTURE)\.md$/,
};
const sentencesPerArea = 20;
const namesPerArea = 10;

interface Text {
  text: string;
  /** The name that a comment documents, or the sentence before a sentence. */
  context: string;
}

function textsOf(path: string): Text[] {
  const content = readFileSync(path, 'utf8');
  const texts = path.endsWith('.md') ? sentencesIn(content) : commentsIn(content);
  return texts.filter(({ text }) => text.split(' ').length >= 4);
}

/** Block comments, and runs of line comments, each as one text. */
const commentsIn = (source: string): Text[] =>
  [...source.matchAll(/^[ \t]*(\/\*\*[\s\S]*?\*\/|\/\/ .*(?:\n[ \t]*\/\/ .*)*)\n(.*)/gm)].map(
    ([, comment = '', next = '']) => ({
      text: comment
        .replace(/^\s*(?:\/\*\*|\*(?!\/)|\/\/)?/gm, ' ')
        .replace(/\*\//g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
      context:
        /^[ \t]*(?:export |async |readonly |static |default )*(?:function|const|let|class|interface|type)? ?#?(\w+)/.exec(
          next,
        )?.[1] ?? '',
    }),
  );

const sentencesIn = (markdown: string): Text[] =>
  markdown
    .replace(/```[\s\S]*?```|^[|#].*$/gm, '\n\n')
    .split(/\n{2,}|\n(?=[-*] )/)
    .flatMap((paragraph) => {
      const sentences = paragraph
        .replace(/\s+/g, ' ')
        .trim()
        .split(/(?<=[.?!]) (?=[A-Z`*])/);
      return sentences.map((text, at) => ({
        text: text.replace(/^[-*] /, ''),
        context: sentences[at - 1] ?? '',
      }));
    });

const random = createRandom(Number(process.argv[2] ?? 1));
const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n');
const sample = Object.entries(areas).map(([area, belongs]) => {
  const files = tracked.filter((path) => belongs.test(path) && !path.includes('.test.'));
  const texts = files.flatMap((path) => textsOf(path).map((text) => ({ path, ...text })));
  return {
    area,
    sentences: random.shuffled(texts).slice(0, sentencesPerArea),
    names: random.shuffled(files).slice(0, namesPerArea),
  };
});
process.stdout.write(`${JSON.stringify(sample, null, 2)}\n`);
