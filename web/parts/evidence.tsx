import type { NoteSource } from '../../src/wire/answers/memory.ts';
import { agentName } from './agents.ts';
import { eventLink } from './hit-link.ts';
import { Icon } from './icon.tsx';
import { MemoryLine } from './memory-text.tsx';
import { Age } from './time.tsx';

const kindWords: Record<string, string> = {
  prompt: 'You said',
  answer: 'The agent said',
  command: 'A command',
  edit: 'An edit',
  commit: 'A commit',
};

/** How the kind of an event is called where its text is quoted. */
export const wordOf = (kind: string): string => kindWords[kind] ?? kind;

/** The event that something was made from. It links to the turn in its session. A text that is shown already is ''. */
export const Evidence = ({ source: { id, kind, at, agent, agentSession, text } }: { source: NoteSource }) => (
  <a class="evidence" href={eventLink(id, agentSession)}>
    <Icon name="quote" />
    <span class={text === '' ? 'unseen' : 'evidence-text'}>
      <span class="unseen">{wordOf(kind)}: </span>
      <MemoryLine text={text} />
    </span>
    <span class="evidence-place">
      {agentName(agent)}, <Age at={at} />
    </span>
  </a>
);
