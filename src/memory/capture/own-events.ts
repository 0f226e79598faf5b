import type { Observation } from '../../agents/agent.ts';
import type { EventContext } from '../../domain/event.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { type Redactor, rulesOnly } from '../redact/redact.ts';
import { toEvent } from './capture.ts';

/** Appends events that Backstory itself makes, such as changes of notes. They name no file of a working tree. */
export function recordOwnEvents(
  { log, userHome, clock }: Pick<OpenProject, 'log' | 'userHome' | 'clock'>,
  context: EventContext,
  observations: Observation[],
  redactor: Redactor = rulesOnly,
): void {
  const captured = { ...context, root: '', exclude: [], userHome, redactor };
  const events = observations.flatMap((observation) => toEvent(observation, captured, clock) ?? []);
  if (events.length > 0) log.append(events);
}

/** The context of an event that Backstory makes in the background, outside of any checkout. */
export const backgroundContext = ({
  device,
  actor,
  project,
}: Pick<OpenProject, 'device' | 'actor' | 'project'>): EventContext => ({
  device: device.id,
  actor,
  agent: 'backstory',
  agentVersion: '',
  agentSession: '',
  clientPid: 0,
  project,
  checkout: '',
  branch: '',
  head: '',
});
