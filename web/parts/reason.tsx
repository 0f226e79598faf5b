import { useState } from 'preact/hooks';
import type { ShownHit } from '../api.ts';
import { Share } from './figures.tsx';

/** Labels for users of the search arms (independent searches whose results are combined) and of the ranking signals. */
const armWords: Record<string, string> = { lexical: 'words', dense: 'meaning', tail: 'just captured' };
const signalWords: Record<string, string> = {
  words: 'your words',
  pairs: 'adjacent words',
  meaning: 'similar meaning',
  session: 'session about this',
  turn: 'same turn',
  neighbours: 'adjacent turn',
  related: 'work on the same files',
  rule: 'a lasting rule',
  preference: 'your preference',
  speaker: 'who said it',
  date: 'date',
  wanted: 'has the number or time asked for',
  worked: 'changed something',
  deed: 'did something',
};

/** Explains the rank of a hit: its rank in each search arm and the share of each signal in its score. */
export function Reason({ hit: { ranks, why, score }, best }: { hit: ShownHit; best: number }) {
  const found = Object.entries(ranks).map(([arm, rank]) => `${armWords[arm] ?? arm} #${rank}`);
  const signals = Object.entries(why)
    .filter(([, share]) => share > 0)
    .sort(([, a], [, b]) => b - a);
  const total = signals.reduce((sum, [, share]) => sum + share, 0);
  const [isOpen, setOpen] = useState(false);
  const strength = best > 0 ? Math.max(0.02, Math.min(1, score / best)) : 0;
  return (
    <details class="reason" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Share of={strength} />
        Why this hit?
      </summary>
      {isOpen && (
        <ul>
          <li class="muted">{found.length === 0 ? 'Near in time' : `Rank by ${found.join(', by ')}`}</li>
          {signals.map(([name, share]) => (
            <li key={name}>
              <span>{signalWords[name] ?? name}</span>
              <Share of={share / total} />
              <span class="number">{Math.round((share / total) * 100)} %</span>
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}
