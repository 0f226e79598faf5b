import { useState } from 'preact/hooks';
import type { ShownHit } from '../api.ts';
import { Share } from './figures.tsx';
import { signalsOf } from './hit-signals.ts';

/** Labels for users of the search arms: independent searches whose results are combined. */
const armWords: Record<string, string> = { lexical: 'words', dense: 'meaning', tail: 'words, just captured' };

interface ReasonProps {
  hit: ShownHit;
  /** The score of the best hit; absent if recall says that no hit is a good match. */
  best?: number | undefined;
  /** What counts for this hit more than for the others. */
  distinct: string[];
}

/** Says what sets a hit apart. The share of each signal in its score and its rank in each search arm are folded. */
export function Reason({ hit, best, distinct }: ReasonProps) {
  const found = Object.entries(hit.ranks).map(([arm, rank]) => `${rank} by ${armWords[arm] ?? arm}`);
  const signals = signalsOf(hit);
  const total = signals.reduce((sum, { share }) => sum + share, 0);
  const [isOpen, setOpen] = useState(false);
  const isApart = best !== undefined && distinct.length > 0;
  return (
    <details class="reason" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {best !== undefined && <Share of={Math.max(0.02, Math.min(1, hit.score / (best || 1)))} />}
        {signals.length === 0 ? 'It is near in time.' : isApart ? `It ${distinct.join(' and ')}.` : 'Why'}
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
