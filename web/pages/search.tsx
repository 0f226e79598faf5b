import type { Hit } from '../../src/wire/answers/memory.ts';
import { api, type SearchFilter } from '../api.ts';
import { overview } from '../overview.ts';
import { agentName, knownAgents } from '../parts/agents.ts';
import { AskMemory } from '../parts/ask-memory.tsx';
import { AgentMark, FreshnessBadge, KindBadge } from '../parts/badges.tsx';
import { DayDigest } from '../parts/day-digest.tsx';
import { type Filter, fileFilter, noteKinds } from '../parts/filter-chips.tsx';
import { hitLink } from '../parts/hit-link.ts';
import { sourceOf } from '../parts/source.ts';
import { NothingYet } from '../parts/states.tsx';
import { Age } from '../parts/time.tsx';
import { chosenProject } from '../project.ts';

const kinds: [string, string][] = [
  ...noteKinds,
  ['prompt', 'Prompts'],
  ['answer', 'Answers'],
  ['edit', 'Edits'],
  ['command', 'Commands'],
  ['commit', 'Commits'],
];

const filters: Filter[] = [
  { name: 'kind', label: 'Kinds', options: kinds, several: true },
  { name: 'agent', label: 'Agent', options: knownAgents.map((name) => [name, agentName(name)]) },
  fileFilter,
];

export const SearchPage = () =>
  overview.value?.project === null ? (
    <NothingYet />
  ) : (
    <AskMemory
      filters={filters}
      load={(words, filter: SearchFilter, wanted) => api.recall(words, { ...filter, ...wanted })}
      dependencies={[chosenProject.value]}
      linkOf={hitLink}
      head={headOf}
      digest={(days) => <DayDigest key={`${days?.from} ${days?.to}`} days={days} />}
      hint="Searches prompts, answers, commands, commits and notes of all agent sessions in this project."
    />
  );

const headOf = ({ source, kind, agent, at, origin, trust, state, drift, team }: Hit) => (
  <>
    {source === 'event' && <AgentMark agent={agent} />}
    <KindBadge kind={kind} />
    {drift !== undefined && drift.state !== 'unanchored' && <FreshnessBadge label={drift.state} />}
    <span class="meta">
      <Age at={at} />
      {team !== undefined && (
        <bdi>{`Team ${team.name}, ${team.source}${team.author === '' ? '' : ` by ${team.author}`}`}</bdi>
      )}
      <span>{sourceOf({ origin, trust, state })}</span>
    </span>
  </>
);
