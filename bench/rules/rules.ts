import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installAgents } from '../../scripts/install-agents.ts';
import { compileRule } from '../../src/memory/rules/compile-rule.ts';
import { brokenRules } from '../../src/memory/rules/match-rules.ts';
import type { Matcher } from '../../src/memory/rules/rule-table.ts';
import {
  atLeast,
  type Bar,
  type Evaluation,
  exactly,
  round,
  showProgress,
} from '../../test/harness/evaluation.ts';
import { installPackage } from '../../test/harness/package.ts';
import { runTraps, trappedAgents } from './agent-traps.ts';
import { readRealProjects } from './real-calls.ts';
import { callOf, readTraps, type Trap } from './traps.ts';

/**
 * Rules of users against tool calls: the traps of an independent author in real agents, and alarms on the tool calls of
 * public transcripts. Alarms are written to a file, because only a reader can tell which of them are false.
 */
export const rules: Evaluation = {
  name: 'rules',
  summary:
    'Tool calls that go against a rule: 60 traps in four real agents; with --data, alarms on real tool calls.',
  async run({ isShort, data }) {
    const traps = readTraps('later');
    const earlier = readTraps('development');
    const [found, foundEarlier] = [matched(traps), matched(earlier)];
    const harmlessAlarms = found.harmless + foundEarlier.harmless;
    const figures: Record<string, number | string> = {
      traps: traps.length,
      caught: found.caught,
      caughtDevelopment: foundEarlier.caught,
      harmlessCalls: [...traps, ...earlier].flatMap(({ harmless }) => harmless).length,
      harmlessAlarms,
      ...firstFigures,
    };
    const bars: Record<string, Bar> = {
      caught: exactly(found.caught, traps.length),
      caughtDevelopment: exactly(foundEarlier.caught, earlier.length),
      harmlessAlarms: exactly(harmlessAlarms, 0),
    };
    const agents = isShort ? trappedAgents.slice(0, 1) : trappedAgents;
    const used = isShort ? traps.filter((_, at) => at % 5 === 0) : traps;
    installAgents(agents.map(({ folder }) => folder));
    const { folder } = installPackage();
    for (const [at, agent] of agents.entries()) {
      const { told, denied, untold, allowed } = await runTraps(agent, used, folder);
      showProgress(at + 1, agents.length);
      figures[`${agent.name} told`] = told;
      figures[`${agent.name} denied`] = denied;
      for (const rule of untold) process.stderr.write(`${agent.name}, not told: ${rule}\n`);
      for (const rule of allowed) process.stderr.write(`${agent.name}, not denied: ${rule}\n`);
      bars[`${agent.name} told`] = exactly(told, used.length);
      bars[`${agent.name} denied`] = exactly(denied, used.length);
    }
    if (data !== undefined) {
      const alarms = alarmsIn(data, traps);
      Object.assign(figures, alarms);
      bars.realCalls = atLeast(alarms.realCalls, 10_000);
    }
    return { n: used.length, figures, bars };
  },
};

/** What the rules found when they saw the later traps for the first time, before they were corrected. */
const firstFigures = {
  firstCaught: 28,
  firstHarmlessAlarms: '8 of 171',
  firstTold: 'claude-code 28, codex 28, opencode 28, pi 28',
  firstDenied: 'claude-code 26, codex 28, opencode 26, pi 26',
};

const compiled = ({ rule, kind }: Trap): { matchers: Matcher[] } => ({
  matchers: compileRule(rule, kind === 'failed-path'),
});

function matched(traps: Trap[]): { caught: number; harmless: number } {
  const isAlarm = (trap: Trap, call: Trap['violating']) =>
    brokenRules([compiled(trap)], callOf(call)).length > 0;
  return {
    caught: traps.filter((trap) => isAlarm(trap, trap.violating)).length,
    harmless: traps.flatMap((trap) => trap.harmless.filter((call) => isAlarm(trap, call))).length,
  };
}

/** Compares real tool calls with the rules of the traps and with those of the projects' own users. */
function alarmsIn(data: string, traps: Trap[]) {
  const common = traps.map((trap) => ({ rule: trap.rule, ...compiled(trap) }));
  const found: { project: string; session: string; rule: string; call: string }[] = [];
  let realCalls = 0;
  let ownRules = 0;
  for (const { name, calls, rules: said } of readRealProjects(data)) {
    const own = [...new Set(said)]
      .map((rule) => ({ rule, matchers: compileRule(rule) }))
      .filter(({ matchers }) => matchers.length > 0);
    ownRules += own.length;
    for (const { session, call } of calls) {
      realCalls++;
      const [edit] = call.edits;
      const shown = call.command || `${edit?.path}\n${edit?.added}`;
      for (const { rule } of brokenRules([...common, ...own], call))
        found.push({ project: name, session, rule, call: shown });
    }
  }
  const file = join(mkdtempSync(join(tmpdir(), 'backstory-rules-')), 'alarms.jsonl');
  writeFileSync(file, found.map((alarm) => `${JSON.stringify(alarm)}\n`).join(''));
  process.stderr.write(`alarms to be judged: ${file}\n`);
  const told = new Set(found.map(({ project, session, rule }) => JSON.stringify([project, session, rule])));
  return {
    realCalls,
    ownRules,
    alarms: found.length,
    toldOncePerSession: told.size,
    alarmShare: round(found.length / realCalls),
  };
}
