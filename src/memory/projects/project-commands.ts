import { readJson } from '../../base/files.ts';
import type { Project } from '../../domain/project.ts';
import { type ObservedCommand, observedCommands, observedForMs } from '../../recall/observed-commands.ts';
import type { LogIndex } from '../../store/store.ts';
import { typedText } from '../../text/prompt-blocks.ts';
import type { OpenProject } from './open-project.ts';

/** The newest, because each is searched for each command. */
const maxPrompts = 1_000;

/** What the sessions of a project saw of each command. The prelude, recall and the viewer judge commands by this. */
export async function projectCommands(
  { paths, project, clock }: Pick<OpenProject, 'paths' | 'project' | 'clock'>,
  index: LogIndex,
): Promise<ObservedCommand[]> {
  const since = clock.now() - observedForMs;
  const steps = await index.steps({ kinds: ['run', 'edit'], since });
  const prompts = (await index.list({ kinds: ['prompt'], since }, maxPrompts)).flatMap(
    ({ trust, sourceId: event, text }) => (trust < 2 ? [] : [{ event, text: typedText({ text }) }]),
  );
  return observedCommands(steps, readJson<Project>(paths.project(project).identity)?.paths ?? [], prompts);
}
