import type { DriftState } from '../../src/wire/answers/memory.ts';
import { agentLetters, agentName } from './agents.ts';
import { Icon } from './icon.tsx';

const meanings: Record<DriftState, { label: string; means: string }> = {
  current: { label: 'Code unchanged', means: 'Its code is unchanged.' },
  moved: { label: 'Moved', means: 'Its code is unchanged but has moved.' },
  changed: {
    label: 'Code changed',
    means: 'Its code has changed since. Check before you rely on it.',
  },
  gone: { label: 'Code gone', means: 'Its code no longer exists.' },
  elsewhere: { label: 'Other branch', means: 'Written on another branch, and never on this one.' },
  unchecked: { label: 'Not checked', means: 'The code could not be compared, or there was no time to.' },
  unanchored: {
    label: 'No linked code',
    means: 'It is not linked to any code, so there is nothing to check.',
  },
};

export const FreshnessBadge = ({ label }: { label: DriftState }) => (
  <span class={`freshness freshness-${label}`} title={meanings[label].means}>
    {meanings[label].label}
  </span>
);

export const meaningOf = (label: DriftState): string => meanings[label].means;

export const KindBadge = ({ kind }: { kind: string }) => (
  <span class="kind" data-kind={kind}>
    {kind.replace('-', ' ')}
  </span>
);

export const AgentMark = ({ agent }: { agent: string }) => (
  <span
    class="agent-mark"
    data-agent={agent}
    role="img"
    aria-label={agentName(agent)}
    title={agentName(agent)}
  >
    {agentLetters(agent)}
  </span>
);

export const Branch = ({ name }: { name: string }) =>
  name === '' ? null : (
    <span class="branch">
      <Icon name="branch" />
      <bdi>{name}</bdi>
    </span>
  );
