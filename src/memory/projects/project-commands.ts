import { readJson } from '../../base/files.ts';
import type { Project } from '../../domain/project.ts';
import { type ObservedCommand, observedCommands, observedForMs } from '../../recall/observed-commands.ts';
import type { LogIndex } from '../../store/store.ts';
import type { OpenProject } from './open-project.ts';

/** What the sessions of a project saw of each command. The prelude, recall and the viewer judge commands by this. */
export async function projectCommands(
  { paths, project, clock }: Pick<OpenProject, 'paths' | 'project' | 'clock'>,
  index: LogIndex,
): Promise<ObservedCommand[]> {
  const steps = await index.steps({ kinds: ['run', 'edit'], since: clock.now() - observedForMs });
  return observedCommands(steps, readJson<Project>(paths.project(project).identity)?.paths ?? []);
}
