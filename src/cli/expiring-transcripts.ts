import { join } from 'node:path';
import { parseSettings } from '../agents/json-edit.ts';
import { readSettings } from '../agents/read-settings.ts';
import { installableAgents, setups } from '../agents/settings.ts';
import type { InstallableAgent } from '../agents/setup.ts';
import { type FoundTranscript, findTranscripts, transcriptSources } from '../agents/transcripts.ts';
import { isoDay } from '../base/clock.ts';
import type { Json } from '../base/json.ts';
import { withTilde } from '../memory/capture/capture.ts';
import { unreadTranscripts } from '../memory/capture/import-transcripts.ts';
import type { Check } from '../memory/installation-checks.ts';
import { activationOf } from '../memory/projects/activation.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { resolvePlace } from '../memory/projects/projects.ts';
import { plural } from '../text/plural.ts';
import type { App } from './command.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** How long before an agent deletes a transcript the user is warned. */
const warningDays = 7;

/** Warns of transcripts that an agent is about to delete although Backstory has not read them. */
export async function checkExpiringTranscripts(app: App): Promise<Check[]> {
  const checks: Check[] = [];
  for (const agent of installableAgents) {
    const days = retentionDays(app, agent);
    const transcripts = days === undefined ? [] : findTranscripts(app.agentFolders, [agent]);
    if (days !== undefined && transcripts.length > 0)
      checks.push(await checkAgent(app, agent, days, transcripts));
  }
  return checks;
}

function retentionDays(app: App, agent: InstallableAgent): number | undefined {
  const { retention } = setups[agent];
  return retention?.daysOf(settingsIn(join(app.agentFolders[agent].config, retention.file)));
}

/** If the file cannot be read, the agent's defaults count. Another check reports the file. */
function settingsIn(path: string): Json {
  try {
    return parseSettings(readSettings({ path }) ?? '', path);
  } catch {
    return {};
  }
}

async function checkAgent(
  app: App,
  agent: InstallableAgent,
  days: number,
  transcripts: FoundTranscript[],
): Promise<Check> {
  const name = `${agent} transcripts`;
  const kept = `${setups[agent].title} deletes transcripts after ${plural(days, 'day')}`;
  const deletion = ({ changed }: FoundTranscript): number => changed + days * dayMs;
  const due = transcripts.filter((found) => deletion(found) - app.clock.now() < warningDays * dayMs);
  const unread = await unreadOf(app, due);
  const [first] = unread;
  if (first === undefined)
    return { name, ok: true, detail: `${kept}; Backstory has read those that are due within a week` };
  const next = deletion(first) <= app.clock.now() ? 'soon' : `from ${isoDay(deletion(first))} on`;
  return {
    name,
    ok: true,
    isWarning: true,
    detail: `${kept}; ${plural(unread.length, 'session')} that Backstory has not read will be deleted ${next}`,
    hint: `backstory import ${agent}`,
  };
}

/** Returns the transcripts that an import would read, in the same order. */
async function unreadOf(app: App, transcripts: FoundTranscript[]): Promise<FoundTranscript[]> {
  const unread = new Set<FoundTranscript>();
  for (const [cwd, inFolder] of Map.groupBy(transcripts, (found) => found.cwd)) {
    const { place } = resolvePlace(app.paths, cwd, app.clock);
    if (!activationOf(app.paths, { ...place, cwd, userHome: app.userHome }, app.clock).on) continue;
    const parts = app.open(place.project);
    const changed = await changedSinceRead(parts, inFolder);
    if (changed.length === 0) continue;
    // A rebuilt index does not know which transcripts were read, so the log decides.
    for (const transcript of await unreadTranscripts(parts, changed)) unread.add(transcript);
  }
  return transcripts.filter((transcript) => unread.has(transcript));
}

async function changedSinceRead(
  { access, userHome }: OpenProject,
  transcripts: FoundTranscript[],
): Promise<FoundTranscript[]> {
  const reading = access.forReading();
  const stamps = await reading?.index.progressMarks();
  await reading?.close();
  return transcripts.filter(
    ({ agent, file }) => stamps?.get(withTilde(file, userHome)) !== transcriptSources[agent]?.stamp(file),
  );
}
