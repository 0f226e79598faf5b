import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadCommands } from '../cli/commands.ts';
import { stem } from '../text/stem.ts';
import { skillFiles } from './skill-files.ts';

const folder = 'skills/backstory';
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const headOf = (text: string): string => /^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? '';
const head = headOf(read('SKILL.md'));
const learn = readFileSync('skills/backstory-learn/SKILL.md', 'utf8');
const { name, description, ...rest } = parse(head) as Record<string, string>;

describe('the skill', () => {
  it('[skill-tokens] costs a session, with that for learning, at most 250 tokens until it is used, and has the metadata that agents expect', () => {
    expect(countTokens(head) + countTokens(headOf(learn))).toBeLessThanOrEqual(250);
    expect(name).toBe('backstory');
    expect(description?.length).toBeLessThanOrEqual(1_024);
    expect(rest).toMatchObject({ context: 'fork' });
    expect(parse(headOf(learn))).toMatchObject({ name: 'backstory-learn', context: 'fork' });
    for (const text of [read('SKILL.md'), learn]) expect(countTokens(text)).toBeLessThan(1_000);
  });

  it('[skill-operations] has one short file per operation, listed in its table', () => {
    const operations = readdirSync(join(folder, 'operations')).map((file) => `operations/${file}`);
    expect(operations.sort()).toEqual(
      skillFiles
        .map((file) => file.replaceAll('\\', '/').replace('backstory/', ''))
        .filter((file) => !file.endsWith('SKILL.md'))
        .sort(),
    );
    for (const file of operations) {
      expect(read('SKILL.md'), file).toContain(`\`${file}\``);
      expect(countTokens(read(file)), file).toBeLessThan(400);
    }
  });

  it('[skill-commands] uses only existing commands and options, and neither curl nor a port', async () => {
    const commands = await loadCommands();
    const wrong: string[] = [];
    let count = 0;
    for (const file of skillFiles) {
      const text = readFileSync(join('skills', file), 'utf8');
      expect(text, file).not.toMatch(/curl|localhost|:\d{4,5}\b/);
      for (const [, called = '', args = ''] of text.matchAll(/\bbackstory ([a-z]+)\b([^`\n]*)/g)) {
        // In prose, the word after `backstory` is not a command.
        if (!text.includes(`\`backstory ${called}`) && !text.includes(`\nbackstory ${called}`)) continue;
        count += 1;
        const command = commands.find((each) => each.name === called);
        if (command === undefined) wrong.push(`${file}: ${called}`);
        for (const [, option = ''] of args.matchAll(/--([a-z-]+)/g)) {
          const known = ['json', 'help', ...Object.keys(command?.options ?? {})];
          if (!known.includes(option)) wrong.push(`${file}: ${called} --${option}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(30);
  });

  const prompts = (file: string): string[] =>
    readFileSync(join(folder, 'triggers', file), 'utf8')
      .trim()
      .split('\n');
  const [should, shouldNot] = [prompts('should-trigger.txt'), prompts('should-not-trigger.txt')];

  it('has fifty prompts that should trigger it and fifty that should not', () => {
    for (const list of [should, shouldNot]) expect(new Set(list).size).toBe(50);
    expect(should.filter((prompt) => shouldNot.includes(prompt))).toEqual([]);
  });

  it('has a description that is closer to prompts that should trigger it than to the others', () => {
    // A word overlap only shows that the description is about the right subject. To measure how often a model triggers
    // the skill, run the same prompts against a model.
    const wordsOf = (text: string): string[] =>
      (text.toLowerCase().match(/[a-z]+/g) ?? []).map((word) => stem(word));
    const [about = ''] = (description ?? '').split('Not for');
    const described = new Set(wordsOf(about));
    const common = new Set(wordsOf('the a to of and in for this that with is it on be or at by an'));
    const score = (prompt: string): number => {
      const words = [...new Set(wordsOf(prompt))].filter((word) => !common.has(word));
      return words.filter((word) => described.has(word)).length / Math.max(1, words.length);
    };
    const pairs = should.flatMap((one) => shouldNot.map((other) => score(one) - score(other)));
    const better = pairs.reduce((sum, gap) => sum + (gap > 0 ? 1 : gap === 0 ? 0.5 : 0), 0) / pairs.length;
    expect(better, 'share of pairs in which the prompt that should trigger it is closer').toBeGreaterThan(
      0.75,
    );
  });
});
