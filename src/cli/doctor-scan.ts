import { listProjects } from '../memory/projects/projects.ts';
import { type ScanFinding, scanHome, scanProject } from '../memory/scan.ts';
import { type App, isSet, type Outcome, type ParsedArgs } from './command.ts';

export async function scanMemory(app: App, args: ParsedArgs): Promise<Outcome> {
  const options = { isDryRun: isSet(args, 'dry-run') };
  const here = app.place().project;
  const projects = listProjects(app.paths).filter(
    ({ id, linkedTo }) => linkedTo === undefined && (!isSet(args, 'here') || id === here),
  );
  const findings: ScanFinding[] = [];
  const progress = app.progress('Scanning');
  for (const [at, project] of projects.entries()) {
    progress.update(at, projects.length);
    findings.push(...(await scanProject(app.open(project.id), options)));
  }
  findings.push(...scanHome(app.paths, options));
  progress.end();
  return { value: { projects: projects.length, ...options, findings }, text: toText(findings, options) };
}

/** Lists the number of secrets by rule and file, never the secrets themselves. */
function toText(findings: ScanFinding[], { isDryRun }: { isDryRun: boolean }): string {
  const total = findings.flatMap(({ rules }) => Object.values(rules)).reduce((sum, count) => sum + count, 0);
  if (findings.length === 0) return 'No secrets found.';
  const lines = findings.map(({ file, rules }) => {
    const counts = Object.entries(rules).map(([name, count]) => `${name} ${count}`);
    return `  ${file}: ${counts.join(', ')}`;
  });
  const what = `${total} secret${total === 1 ? '' : 's'} in ${findings.length} file${findings.length === 1 ? '' : 's'}`;
  return isDryRun
    ? `Found ${what}:\n${lines.join('\n')}\nNothing was changed. Run backstory doctor --scan to overwrite them.`
    : `Overwrote ${what}:\n${lines.join('\n')}\nThe agents' own transcripts still have their copies. Rotate these secrets.`;
}
