import { memoryChanges } from '../../live.ts';
import { AskMemory, type Filter, fileFilter, timeFilter } from '../../parts/ask-memory.tsx';
import { KindBadge } from '../../parts/badges.tsx';
import { chosenProject } from '../../project.ts';
import { type TeamFilter, teamApi } from '../api.ts';
import { memoryLink, Provenance, sources } from '../parts.tsx';
import type { TeamHit } from '../wire.ts';

const kinds = ['decision', 'convention', 'fix', 'gotcha', 'failed-path', 'knowledge'];

const filters: Filter[] = [
  { name: 'source', label: 'Source', options: Object.entries(sources) },
  { name: 'kind', label: 'Kind', options: kinds.map((kind) => [kind, kind.replace('-', ' ')]) },
  timeFilter,
  { name: 'author', label: 'Person' },
  fileFilter,
];

export const TeamSearchPage = () => (
  <AskMemory
    filters={filters}
    load={(words, filter: TeamFilter, limit) => teamApi.recall(words, { ...filter, limit })}
    dependencies={[chosenProject.value, memoryChanges.value]}
    linkOf={memoryLink}
    head={headOf}
    hint="Searches the team’s issues, comments, agent sessions, notes and codebase."
  />
);

const headOf = ({ kind, memory }: TeamHit) => (
  <>
    <KindBadge kind={kind} />
    <Provenance memory={memory} />
  </>
);
