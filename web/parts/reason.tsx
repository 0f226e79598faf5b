import { useState } from 'preact/hooks';
import type { ShownHit } from '../api.ts';
import { Share } from './figures.tsx';

/** Labels for users of the search arms (independent searches whose results are combined) and of the ranking signals. */
const armWords: Record<string, string> = { lexical: 'words', dense: 'meaning', tail: 'words, just captured' };
const signalWords: Record<string, string> = {
  words: 'has your words',
  pairs: 'has your words next to each other',
  passage: 'has a passage about this',
  meaning: 'has a similar meaning',
  neighbours: 'is beside another match',
  name: 'has the name that you searched',
  reason: 'gives a reason',
  kind: 'settles or explains something',
};

/** Says what counts most for a hit. The share of each signal in its score and its rank in each search arm are folded. */
export function Reason({ hit: { ranks, why, score }, best }: { hit: ShownHit; best: number }) {
  const found = Object.entries(ranks).map(([arm, rank]) => `${rank} by ${armWords[arm] ?? arm}`);
  const signals = Object.entries(why)
    .filter(([, share]) => share > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([name, share]) => ({ words: signalWords[name] ?? name, share }));
  const total = signals.reduce((sum, { share }) => sum + share, 0);
  const [isOpen, setOpen] = useState(false);
  const strength = best > 0 ? Math.max(0.02, Math.min(1, score / best)) : 0;
  return (
    <details class="reason" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Share of={strength} />
        {signals.length === 0
          ? 'It is near in time.'
          : `It ${signals
              .slice(0, 2)
              .map(({ words }) => words)
              .join(' and ')}.`}
      </summary>
      {isOpen && (
        <ul>
          {signals.map(({ words, share }) => (
            <li key={words}>
              <span>{words}</span>
              <Share of={share / total} />
              <span class="number">{Math.round((share / total) * 100)} %</span>
            </li>
          ))}
          {found.length > 0 && <li class="muted">Rank {found.join(', ')}</li>}
        </ul>
      )}
    </details>
  );
}
