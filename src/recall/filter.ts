import { unicodeForms } from '../base/unicode-forms.ts';
import { type Chunk, type ChunkFilter, isUnreviewedTeamText } from '../domain/chunk.ts';

/** As SQLite does: letters outside ASCII keep their case. */
const inLowerCase = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Tests a chunk that is not in a store yet, with the same rules as the stores. */
export function matchesFilter(chunk: Chunk, filter: ChunkFilter): boolean {
  const { kinds, file, folder } = filter;
  const formsOf = (path: string): string[] => unicodeForms(path.replaceAll('\\', '/').replace(/^\.?\/+/, ''));
  return (
    (kinds === undefined || kinds.includes(chunk.kind)) &&
    (filter.source === undefined || chunk.source === filter.source) &&
    (filter.agent === undefined || chunk.agent === filter.agent) &&
    (filter.agentSession === undefined || chunk.agentSession === filter.agentSession) &&
    (filter.turn === undefined || chunk.turn === filter.turn) &&
    (filter.branch === undefined || chunk.branch === filter.branch) &&
    (filter.since === undefined || chunk.at >= filter.since) &&
    (filter.until === undefined || chunk.at <= filter.until) &&
    (filter.minTrust === undefined || chunk.trust >= filter.minTrust) &&
    (filter.pinned === undefined || chunk.pinned === filter.pinned) &&
    (filter.unreviewedTeamText === undefined || isUnreviewedTeamText(chunk) === filter.unreviewedTeamText) &&
    (filter.topic === undefined || inLowerCase(chunk.topic ?? '').includes(inLowerCase(filter.topic))) &&
    (filter.concept === undefined || chunk.concepts.includes(filter.concept)) &&
    (file === undefined ||
      formsOf(file).some((form) => chunk.paths.some((path) => path === form || path.endsWith(`/${form}`)))) &&
    (folder === undefined ||
      formsOf(folder).some((form) =>
        chunk.paths.some((path) => path.startsWith(`${form.replace(/\/+$/, '')}/`)),
      ))
  );
}
