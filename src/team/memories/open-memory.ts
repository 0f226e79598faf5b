import { AppError } from '../../base/errors.ts';
import type { ShownMemory } from '../../domain/shown-memory.ts';
import type { TeamBrowse } from '../store/team-browse.ts';

const minLength = 8;

/** By its id or the first eight characters of it, which is what agents are shown. */
export async function openMemory(browse: TeamBrowse, id: string): Promise<ShownMemory> {
  const found = id.length < minLength ? [] : await browse.beginningWith(id.toLowerCase());
  const [only] = found;
  if (only !== undefined && (found.length === 1 || only.documentId === id)) return only;
  if (found.length > 1)
    throw new AppError('INVALID_ARGUMENT', `more than one memory begins with ${id.slice(0, 40)}`, {
      hint: 'Give more of the id',
    });
  throw new AppError('NOT_FOUND', 'there is no such thing here', {
    hint: 'Search shows ids; a moment is written 2026-11-01T09:00',
  });
}
