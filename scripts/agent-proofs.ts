import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs test/e2e/agents and writes which of its tests passed with the real programs to bench/results/agent-proofs.json,
 * from which `npm run docs` generates docs/reference/agents.md. With the path of a JSON report of vitest, it replaces the
 * results of the agents in that report instead of running the tests.
 */
const resultsFile = 'bench/results/agent-proofs.json';

interface Report {
  testResults: { name: string; assertionResults: Assertion[] }[];
}

interface Assertion {
  title: string;
  ancestorTitles: string[];
  status: string;
}

function runTests(): Report {
  const folder = mkdtempSync(join(tmpdir(), 'backstory-proofs-'));
  const file = join(folder, 'report.json');
  spawnSync('npx', ['vitest', 'run', 'test/e2e/agents', '--reporter=json', `--outputFile.json=${file}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const report = readReport(file);
  rmSync(folder, { recursive: true });
  return report;
}

const readReport = (file: string): Report => JSON.parse(readFileSync(file, 'utf8')) as Report;

const given = process.argv[2];
const report = given === undefined ? runTests() : readReport(given);
const proofs: Record<string, { program: string; passed: string[] }> =
  given === undefined ? {} : JSON.parse(readFileSync(resultsFile, 'utf8'));
for (const { name, assertionResults } of report.testResults) {
  const agent = /e2e\/agents\/([\w-]+)\.test\.ts$/.exec(name.replaceAll('\\', '/'))?.[1];
  if (agent === undefined) continue;
  const program = assertionResults[0]?.ancestorTitles[0]?.replace(/^the real /, '') ?? agent;
  const passed = assertionResults.flatMap(({ title, status }) =>
    status === 'passed' ? (/^\[agent-([\w-]+)\]/.exec(title)?.[1] ?? []) : [],
  );
  proofs[agent] = { program, passed: passed.sort() };
}
const sorted = Object.fromEntries(Object.entries(proofs).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(resultsFile, `${JSON.stringify(sorted, null, 2)}\n`);
const failed = Object.entries(sorted).filter(([, { passed }]) => passed.length < 8);
for (const [agent, { passed }] of failed) process.stdout.write(`${agent}: only ${passed.join(', ')}\n`);
