import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Edit } from '../../src/domain/edit.ts';
import { listAgentSessions, readAgentSession } from '../../src/memory/sessions/agent-sessions.ts';
import { withEvidence } from '../../src/recall/evidence.ts';
import { thoroughLimits } from '../../src/recall/with-index.ts';
import { reasonOf } from '../../src/why/reason.ts';
import { atLeast, type Evaluation, round, showProgress } from '../../test/harness/evaluation.ts';
import { importTranscriptsOf } from '../recall-wordings/import-sessions.ts';

const maxSessions = 1_000;
const maxFirst = 600;

/** A judge's word on a title beside the first prompt, and on whether the label of a turn says something. */
interface Judged {
  titles: Record<string, 'better' | 'equal' | 'worse'>;
  labels: Record<string, boolean>;
}

/**
 * What work is called in real projects: the title of each session beside its first prompt, and the label that each turn
 * gives to the lines that it wrote. Judges label the files that it writes into the folder of each project.
 */
export const titles: Evaluation = {
  name: 'titles',
  summary: 'the names of sessions and of the turns that wrote lines, by independent judges',
  file: import.meta.filename,
  measures: ['src/text/session-title.ts', 'src/why/reason.ts', 'src/recall/describe-sessions.ts'],
  async run({ data }) {
    if (data === undefined)
      return { n: 0, figures: { skipped: 'no projects; name their folder with --data DIR' }, bars: {} };
    const projects = readdirSync(data).filter((name) => existsSync(join(data, name, 'transcripts')));
    const counts = { sessions: 0, turns: 0, lines: 0 };
    const verdicts: string[] = [];
    const said: [isSaid: boolean, lines: number][] = [];
    for (const [at, name] of projects.entries()) {
      const { sessions, turns } = await namesIn(name, join(data, name, 'transcripts'));
      const write = (file: string, rows: object[]) =>
        writeFileSync(join(data, name, file), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
      write('titles.jsonl', sessions);
      write('labels.jsonl', turns);
      const judged = readJudged(join(data, name, 'titles-judged.json'));
      verdicts.push(...sessions.flatMap(({ session }) => judged.titles[session] ?? []));
      for (const { id, lines } of turns)
        if (judged.labels[id] !== undefined) said.push([judged.labels[id], lines]);
      counts.sessions += sessions.length;
      counts.turns += turns.length;
      counts.lines += turns.reduce((sum, { lines }) => sum + lines, 0);
      showProgress(at + 1, projects.length);
    }
    const share = (...wanted: string[]) =>
      round(verdicts.filter((one) => wanted.includes(one)).length / verdicts.length);
    const saying = said.filter(([isSaid]) => isSaid).length / said.length;
    return {
      n: counts.sessions,
      figures: {
        projects: projects.length,
        ...counts,
        judgedTitles: verdicts.length,
        judgedLabels: said.length,
      },
      bars: {
        ...(verdicts.length === 0
          ? {}
          : { notWorse: atLeast(share('better', 'equal'), 0.97), better: atLeast(share('better'), 0.6) }),
        ...(said.length === 0 ? {} : { labelsSaying: atLeast(round(saying), 0.95) }),
      },
    };
  },
};

const readJudged = (file: string): Judged =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Judged) : { titles: {}, labels: {} };

async function namesIn(name: string, transcripts: string) {
  const { parts } = await importTranscriptsOf(name, transcripts);
  const { sessions } = await listAgentSessions(parts, {}, maxSessions);
  const titled = [];
  const turns = [];
  for (const { id, title, name: plainTitle = title, titleBy, prompts } of sessions) {
    if (prompts === 0) continue;
    const story = await readAgentSession(parts, id);
    const events = story.turns.flatMap(({ id: turn, events: own }) =>
      own.map((event) => ({ ...event, turn })),
    );
    const first = events.find(({ kind }) => kind === 'prompt')?.text ?? '';
    titled.push({ session: id, title, titleBy, first: first.slice(0, maxFirst) });
    const edits = events.filter(({ kind }) => kind === 'edit');
    for (const [turn, own] of Map.groupBy(edits, (event) => event.turn)) {
      const [edit] = own as [(typeof own)[number]];
      const from = { ...edit, agentSession: id, turn, branch: '', head: '', hunks: [] } as unknown as Edit;
      const { name: label = '', prompt } = await withEvidence(parts, thoroughLimits, (evidence) =>
        reasonOf(from, evidence, plainTitle),
      );
      const lines = own.reduce((sum, { lines: added = 0 }) => sum + added, 0);
      turns.push({ id: `${id} ${turn}`, label, prompt: prompt?.text.slice(0, maxFirst) ?? '', lines });
    }
  }
  return { sessions: titled, turns };
}
