import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { diffArrays } from 'diff';
import { thoroughLimits } from '../../src/recall/with-index.ts';
import { why } from '../../src/why/why.ts';
import { onEnd, temporaryFolder } from '../../test/harness/cleanup.ts';
import { atLeast, atMost, type Evaluation, round } from '../../test/harness/evaluation.ts';
import { createRandom } from '../../test/harness/random.ts';
import { editAs, put } from '../../test/support/agent-edits.ts';
import { createMemoryHome } from '../../test/support/memory-home.ts';
import { createDonors, type Donors, trackedSources } from './donors.ts';
import { checkOutHistories, checkOutOwnSources, type Manifest } from './repositories.ts';

const manifest: Manifest = [
  { name: 'entireio/cli', head: 'f446dcfc09fda981a5c373a5f47c54363761fa6e' },
  { name: 'EntityProcess/agentv', head: '58f316ca24e3abcdd253efafbc240882f39dc5b0' },
  { name: 'aio-libs/aiohttp', head: '495e778360d1924da63e16dba0f0d76baf56a56a' },
  { name: 'honojs/hono', head: '28a9c128912de19f3fb28b00ae289c9b93f6f392' },
];
const clock = { now: () => Date.now(), set: () => {} };
/** Longer than a hook's delay. Models and people think at least as long. */
const think = () => new Promise((resolve) => setTimeout(resolve, 600));
const formatter = join(import.meta.dirname, '../../node_modules/.bin/biome');
/** `was`: who wrote what a formatter changed. */
type Line = { text: string; kind: string; session: string; was: string[] };

/** Agents and people change checkouts of real code in turns, with real programs. `why` names nobody for people. */
export const shellLines: Evaluation = {
  name: 'shell-lines',
  summary: '`why` names the session whose shell command or formatter wrote a line',
  file: import.meta.filename,
  measures: ['src/why', 'src/git', 'src/memory/capture', 'src/store/sqlite/edits.ts'],
  async run({ isShort, seed, histories }) {
    const folder = temporaryFolder('shell-lines');
    const works =
      histories === undefined ? checkOutOwnSources(folder) : checkOutHistories(histories, folder, manifest);
    const figures: Record<string, number> = { shell: 0, right: 0, person: 0, wrong: 0 };
    const count = (name: string) => (figures[name] = (figures[name] ?? 0) + 1);
    for (const [at, work] of works.slice(0, isShort ? 2 : undefined).entries()) {
      const others = works.filter((other) => other !== work);
      const donors = createDonors(others, createRandom(seed));
      const { files, memory } = await playTurns(work, seed * 100 + at, donors, isShort ? 8 : 25);
      await memory.drain();
      for (const [path, lines] of files) {
        if (!existsSync(join(work, path))) continue;
        const now = { now: clock.now(), limits: thoroughLimits, code: { root: work, key: '' } };
        const { origins } = await why({ parts: memory.open(), root: work }, { path }, now);
        for (const [index, { text, kind, session, was }] of lines.entries()) {
          const isHere = ([from, to]: [number, number]) => from <= index + 1 && index + 1 <= to;
          const answer = origins.find((origin) => origin.lines.some(isHere))?.session?.agentSession ?? '';
          if (text.trim() === '') continue;
          const isRight = answer !== '' && [session, ...was].includes(answer);
          if (answer !== '' && !isRight) count('wrong');
          if (kind === 'person') count('person');
          if (session === '' || kind === 'edit') continue;
          count('shell');
          count(`${kind}: ${isRight ? 'right' : 'not known'}`);
          if (isRight) count('right');
        }
      }
    }
    const { shell = 0, right = 0, person = 0, wrong = 0 } = figures;
    const [rightShare, wrongShare] = [(right / shell) * 100, (wrong / (shell + person)) * 100].map(round);
    const bars = { rightShare: atLeast(rightShare ?? 0, 80), wrongShare: atMost(wrongShare ?? 100, 0.5) };
    return { n: shell, figures, bars };
  },
};

async function playTurns(work: string, seed: number, donors: Donors, turns: number) {
  const memory = createMemoryHome(clock);
  onEnd(memory.remove);
  memory.work = work;
  put({ work: memory.home }, 'biome.json', '{}');
  const biome = `${formatter} format --write --config-path=${memory.home}`;
  const random = createRandom(seed);
  const sh = (command: string): string =>
    spawnSync('sh', ['-c', command], { cwd: work, encoding: 'utf8' }).stdout;
  const onDisk = (path: string) =>
    existsSync(join(work, path)) ? readFileSync(join(work, path), 'utf8') : '';
  const isSuitable = (path: string) => onDisk(path).length < 40_000 && onDisk(path).split('\n').length > 40;
  const all = random.shuffled(trackedSources(work).filter(isSuitable));
  const sources = all.slice(0, 15);
  /** Has correct syntax at any time, so that it can be formatted. */
  const tidy = all.slice(15).find((path) => /\.(?:go|ts)$/.test(path)) ?? '';
  const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));
  const keys = (texts: string[]): string[] => texts.map((text) => text.replace(/\s+/g, ''));
  const files = new Map<string, Line[]>();
  /** Notes who wrote what a step changed. White space alone does not make a line another's. */
  const settle = (kind: string, session: string): void => {
    const changed = sh('git status --porcelain -uall --no-renames').split('\n').filter(Boolean);
    for (const path of new Set([...files.keys(), ...changed.map((line) => line.slice(3))])) {
      const nobodys = () =>
        linesOf(sh(`git show "HEAD:${path}"`)).map((text) => ({ text, kind: '', session: '', was: [] }));
      const [before, now, next] = [files.get(path) ?? nobodys(), linesOf(onDisk(path)), [] as Line[]];
      let [at, from] = [0, 0];
      for (const part of diffArrays(keys(before.map(({ text }) => text)), keys(now))) {
        if (part.removed) at += part.count;
        for (let each = part.removed ? part.count : 0; each < part.count; each++) {
          const text = now[next.length] as string;
          const was = kind === 'format' ? before.slice(from, at).map((line) => line.session) : [];
          const line = part.added ? { text, kind, session, was } : (before[at++] as Line);
          const isIndented = kind === 'format' && line.text !== text;
          const by = isIndented && { kind: line.session ? 'indent' : line.kind, was: [...line.was, session] };
          next.push({ ...line, ...by, text });
        }
        if (!part.removed) from = at;
      }
      files.set(path, next);
    }
  };
  const untidy = (id: number): string =>
    tidy.endsWith('.go')
      ? `var t${id} = map[string]int{"a${id}":1,\n "b${id}":   22}\nfunc f${id}(a,b int)int{ if a>b+${id} { return a-${id} }; return b*${id} }\n`
      : `export const t${id}={a${id}:1,\n    "b${id}":22}\nexport function f${id}(a:number){ if(a>${id}){ return a-${id} } return a*${id} }\n`;
  const withBlock = (path: string): string => {
    if (path === tidy) return onDisk(path) + untidy(random.whole(1, 1e6));
    const lines = onDisk(path).split('\n');
    const block = donors.block(path, random.whole(1, 10));
    return lines.toSpliced(random.whole(5, lines.length - 2), 0, ...block).join('\n');
  };
  const person = (): void => {
    const path = random.chance(0.3) && tidy ? tidy : random.pick(sources);
    put(memory, path, withBlock(path));
    settle('person', '');
  };
  const into = (to: string, text: string) => `mkdir -p made; cat ${to} <<'ENDOFTEXT'\n${text}\nENDOFTEXT`;
  const commands: Record<string, (path: string, id: number) => string> = {
    sed: (path, id) =>
      `sed -i 's/\\b${random.pick(onDisk(path).match(/\b[A-Za-z]{6,}\b/g) ?? ['return'])}\\b/&${id}/g' ${random.pick(sources)} ${path}`,
    format: () => (tidy.endsWith('.go') ? `gofmt -w ${tidy}` : `${biome} ${tidy || memory.home}`),
    patch: (path) => {
      put({ work: memory.home }, 'next', withBlock(path));
      const patch = sh(`git diff --no-index ${path} ${memory.home}/next | sed 's|^+++ .*|+++ b/${path}|'`);
      return into('| git apply', patch.slice(patch.indexOf('--- ')).trimEnd());
    },
    create: (path, id) => into(`> made/${id}${extname(path)}`, donors.block(path, 40).join('\n')),
    append: (path) => into(`>> ${path}`, donors.block(path, 8).join('\n')),
    generate: (path, id) =>
      `mkdir -p made; grep -oE '[A-Za-z]{7,}' ${path} | sort -u | sed 's/.*/export const name_&_${id} = "&";/' > made/names${id}.ts`,
    commit: () => 'git add -A && git -c user.name=a -c user.email=a@b commit -qm Work',
    stash: () => 'git stash -q -u && git stash pop -q',
  };
  for (let number = 0, session = ''; number < turns; number++) {
    const isFirst = number === 0 || random.chance(0.4);
    if (isFirst) session = `s${number}`;
    const where = { session_id: session, prompt_id: `turn-${number}`, cwd: work };
    if (random.chance(0.6)) person();
    await think();
    memory.prompt(`Task ${number}: go on.`, where);
    // A session's first prompt, and the first tool of a turn, which mostly only reads, lead to a comparison.
    if (isFirst || random.chance(0.8)) await memory.compareFiles();
    const path = random.pick(sources);
    for (let step = random.whole(2, 5); step > 0; step--) {
      await think();
      const kind = random.pick(['edit', 'format', ...Object.keys(commands)]);
      if (random.chance(0.05)) person();
      const edited = kind === 'edit' ? path : kind === 'format' && tidy;
      if (edited) editAs(memory, session, where.prompt_id, edited, withBlock(edited));
      settle('edit', session);
      await think();
      const start = clock.now();
      const command = commands[kind]?.(path, number * 10 + step) ?? '';
      if (command !== '') sh(command);
      settle(kind, session);
      if (command === '') continue;
      const call = { ...where, hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_use_id: `${start}` };
      memory.hook({ ...call, tool_input: { command }, tool_response: {}, duration_ms: clock.now() - start });
      await memory.compareFiles();
    }
    memory.answer('Done.', where);
  }
  return { files, memory };
}
