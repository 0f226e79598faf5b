import type { TeamHit } from '../../../src/wire/answers/team.ts';
import { memoryChanges } from '../../live.ts';
import { AskMemory } from '../../parts/ask-memory.tsx';
import { KindBadge } from '../../parts/badges.tsx';
import { type Filter, fileFilter, noteKinds } from '../../parts/filter-chips.tsx';
import { chosenProject } from '../../project.ts';
import { type TeamFilter, teamApi } from '../api.ts';
import { memoryLink, Provenance, sources } from '../parts.tsx';

const filters: Filter[] = [
  { name: 'kind', label: 'Kinds', options: noteKinds, several: true },
  { name: 'source', label: 'Source', options: Object.entries(sources) },
  { name: 'author', label: 'Person' },
  fileFilter,
];

export const TeamSearchPage = () => (
  <AskMemory
    filters={filters}
    load={(words, filter: TeamFilter, wanted) => teamApi.recall(words, { ...filter, ...wanted })}
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
