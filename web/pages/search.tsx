import { api, type SearchFilter } from '../api.ts';
import { AskMemory, type Filter, fileFilter, timeFilter } from '../parts/ask-memory.tsx';
import {
  AgentMark,
  agentName,
  FreshnessBadge,
  KindBadge,
  knownAgents,
  trustWords,
} from '../parts/badges.tsx';
import { hitLink } from '../parts/hit-link.ts';
import { Age } from '../parts/time.tsx';
import { chosenProject } from '../project.ts';
import type { Hit } from '../wire.ts';

const kinds = [
  'decision',
  'convention',
  'fix',
  'gotcha',
  'failed-path',
  'knowledge',
  'summary',
  'prompt',
  'answer',
  'commit',
  'command',
];

const filters: Filter[] = [
  { name: 'kind', label: 'Kind', options: kinds.map((kind) => [kind, kind.replace('-', ' ')]) },
  { name: 'agent', label: 'Agent', options: knownAgents.map((name) => [name, agentName(name)]) },
  timeFilter,
  fileFilter,
];

export const SearchPage = () => (
  <AskMemory
    filters={filters}
    load={(words, filter: SearchFilter, limit) => api.recall(words, { ...filter, limit })}
    dependencies={[chosenProject.value]}
    linkOf={hitLink}
    head={headOf}
    hint="Searches prompts, answers, commands, commits and notes of all agent sessions in this project."
  />
);

const headOf = ({ source, kind, agent, at, trust, drift }: Hit) => (
  <>
    {source === 'event' && <AgentMark agent={agent} />}
    <KindBadge kind={kind} />
    {drift !== undefined && drift.state !== 'unanchored' && <FreshnessBadge label={drift.state} />}
    <span class="meta">
      <Age at={at} />
      <span>{trustWords(trust)}</span>
    </span>
  </>
);
