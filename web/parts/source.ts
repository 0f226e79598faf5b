const sources = ['From tools or others', 'From an agent', 'Said or approved by you', 'Written by you'];

/** Who wrote a message of a session. */
export function speakerOf({ kind, origin, trust }: { kind: string; origin: string; trust: number }): string {
  if (kind !== 'prompt') return 'Agent';
  if (trust >= 2) return 'You';
  return origin === 'unconfirmed' ? sourceOf({ trust, origin }) : 'Not typed by you';
}

interface SourcedMemory {
  origin?: string | undefined;
  trust: number;
  state?: string | undefined;
  confirmedBy?: string | undefined;
}

/** Where a memory comes from, by its trust from 0 to 3. Nobody has approved a proposal yet. */
export function sourceOf({ trust, origin, state, confirmedBy }: SourcedMemory): string {
  if (confirmedBy === 'person') return 'Approved by you';
  if (origin === 'unconfirmed') return 'Not confirmed as yours';
  if (state !== 'candidate') return sources[trust] ?? 'Unknown';
  return `${trust === 2 ? 'From your prompts' : sources[trust]}, waits for your review`;
}
