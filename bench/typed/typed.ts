import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { flat } from '../../src/distil/find-quote.ts';
import { type Proof, proveStatement } from '../../src/distil/prove-statement.ts';
import { repositoryFileWith, withoutRepositoryText } from '../../src/memory/notes/repository-text.ts';
import { readPrelude } from '../../src/memory/prelude/prelude-file.ts';
import { readSessionExchanges } from '../../src/memory/sessions/session-exchanges.ts';
import { surelyTyped, typedBlocks } from '../../src/text/prompt-blocks.ts';
import { atLeast, type Evaluation, exactly, round, showProgress } from '../../test/harness/evaluation.ts';
import { statementRules } from '../../test/harness/measured-code.ts';
import { createMemoryHome } from '../../test/support/memory-home.ts';

/** A prompt, with its blocks as a writer labelled them who knew neither the code nor its rules. */
interface LabelledPrompt {
  id: string;
  language: string;
  kind: string;
  prompt: string;
  blocks: { text: string; typed: boolean; lasting: boolean; why: string }[];
  /** Parts that say something else alone, or that were not typed. */
  forbidden: string[];
  /** Files of the repository, if the prompt has text of one. */
  files?: { path: string; text: string }[];
}

/**
 * What is told as the person's words. Each prompt is a session of its own, captured by the hook and indexed. Then an
 * agent tries to have every block and every forbidden part of it remembered as a quote. Whatever a new session is told
 * must be typed, and whole.
 */
export const typed: Evaluation = {
  name: 'typed',
  summary: 'of prompts with pasted, quoted and wrapped text: what is told as typed, and what is lost',
  options: { half: { type: 'string' } },
  file: import.meta.filename,
  measures: [...statementRules, 'src/memory/capture', 'src/memory/prelude', 'src/git/text-in-commit.ts'],
  async run({ isShort, own }) {
    const halves =
      typeof own.half === 'string' ? [own.half] : ['development', ...(isShort ? [] : ['held-out'])];
    const prompts = halves.flatMap(readPrompts);
    const found = { untypedTold: 0, fragmentsTold: 0, lasting: 0, kept: 0, tellable: 0, untyped: 0 };
    for (const [at, one] of prompts.entries()) {
      const told = await toldOf(one);
      for (const text of told) {
        const untyped = one.blocks.find((block) => !block.typed && has(text, block.text));
        const fragment = one.forbidden.find((part) => has(part, text));
        if (untyped !== undefined) found.untypedTold += 1;
        if (fragment !== undefined) found.fragmentsTold += 1;
        if (untyped !== undefined || fragment !== undefined)
          console.log(`${one.id} ${one.kind} told: ${JSON.stringify(text)}`);
      }
      const typedNow = typedBlocks({ text: one.prompt });
      for (const block of one.blocks) {
        if (!block.typed) found.untyped += 1;
        if (!block.typed || !block.lasting) continue;
        found.lasting += 1;
        if (typedNow.some((text) => has(text, block.text))) found.kept += 1;
        else console.log(`${one.id} ${one.kind} lost: ${JSON.stringify(block.text)}`);
        if (surelyTyped({ text: one.prompt }).length > 0) found.tellable += 1;
      }
      showProgress(at + 1, prompts.length);
    }
    const { untypedTold, fragmentsTold, lasting, kept, tellable, untyped } = found;
    return {
      n: prompts.length,
      figures: {
        blocks: prompts.reduce((sum, { blocks }) => sum + blocks.length, 0),
        untypedBlocks: untyped,
        lastingBlocks: lasting,
        // The others wait for a person or a second model.
        tellableAtOncePercent: round((100 * tellable) / lasting),
      },
      bars: {
        untypedTold: exactly(untypedTold, 0),
        fragmentsTold: exactly(fragmentsTold, 0),
        keptPercent: atLeast(round((100 * kept) / lasting), 97),
      },
    };
  },
};

const readPrompts = (half: string): LabelledPrompt[] =>
  readFileSync(`bench/typed/data/${half}.jsonl`, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LabelledPrompt);

const has = (text: string, part: string): boolean => flat(text).includes(flat(part));

/** Everything that a new session is told as the person's words, at its start or after an agent had it remembered. */
async function toldOf({ prompt, blocks, forbidden, files = [] }: LabelledPrompt): Promise<string[]> {
  const memory = createMemoryHome();
  try {
    if (files.length > 0) commitFiles(memory.work, files);
    memory.prompt(prompt);
    memory.answer('Understood.');
    await memory.drain();
    const parts = memory.open();
    const notes = (await parts.notes.list()).filter(
      ({ kind, state, trust }) => kind !== 'summary' && state === 'active' && trust >= 2,
    );
    const prelude = readPrelude(memory.paths, parts.project);
    const lines = [
      ...(prelude?.lines ?? []),
      ...(prelude?.recaps ?? []).flatMap(({ short, long }) => [...short, ...long]),
    ];
    const quoted = lines.flatMap(({ text }) =>
      [...text.matchAll(/"(.{8,})"/g)].map(([, words = '']) => words),
    );
    const exchanges = await readSessionExchanges(parts, 'session-1');
    const proofs: Proof[] = [];
    for (const quote of [...blocks.map(({ text }) => text), ...forbidden]) {
      const proof = proveStatement({ topic: '', quote, reading: '', proposal: '' }, exchanges);
      proofs.push(await withoutRepositoryText(repositoryFileWith(parts), proof, memory.clock.now()));
    }
    const remembered = proofs.flatMap(({ form, text }) => (form === 'reading' ? [] : [text]));
    return [...new Set([...notes.map(({ text }) => text), ...quoted, ...remembered])];
  } finally {
    memory.remove();
  }
}

function commitFiles(root: string, files: { path: string; text: string }[]): void {
  for (const { path, text } of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const env = { ...process.env, GIT_COMMITTER_DATE: '2026-11-01T12:00:00Z' };
  execFileSync('git', ['init', '-q'], { cwd: root });
  execFileSync('git', ['add', '.'], { cwd: root });
  const identity = ['-c', 'user.name=ann', '-c', 'user.email=ann@example.org'];
  execFileSync('git', [...identity, 'commit', '-qm', 'files'], { cwd: root, env });
}
