import { AppError } from '../../base/errors.ts';
import type { TeamMemory } from '../../wire/answers/team.ts';
import type { ProjectWork } from '../store/team-store.ts';

const minIdLength = 8;

/** Finds a memory by its id, or by a prefix of at least the eight characters that agents are shown. */
export async function findMemory(browse: ProjectWork['browse'], id: string): Promise<TeamMemory> {
  const found = id.length < minIdLength ? [] : await browse.findByIdPrefix(id.toLowerCase());
  const [only] = found;
  if (only !== undefined && (found.length === 1 || only.documentId === id)) return only;
  if (found.length > 1)
    throw new AppError('INVALID_ARGUMENT', `more than one memory id begins with ${id.slice(0, 40)}`, {
      hint: 'Give more of the id',
    });
  throw new AppError('NOT_FOUND', 'there is no memory with this id', {
    hint: 'Search results show ids. Write a time as 2026-11-01T09:00',
  });
}
