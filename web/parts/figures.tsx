import type { ComponentChildren } from 'preact';
import { grouped } from './numbers.ts';

/** A number in large type. */
export const Tile = ({ name, value, note }: { name: string; value: string; note: ComponentChildren }) => (
  <div class="tile">
    <p class="tile-name">{name}</p>
    <p class="tile-value">{value}</p>
    <p class="tile-note">{note}</p>
  </div>
);

/** A bar whose length is a part of the whole, from 0 to 1. */
export const Share = ({ of }: { of: number }) => (
  <span class="share" aria-hidden="true">
    <span style={{ width: `${of * 100}%` }} />
  </span>
);

/** Counts with bars. The largest count has the longest bar. */
export function Counts({ of: rows }: { of: [name: string, count: number][] }) {
  const largest = Math.max(1, ...rows.map(([, count]) => count));
  return (
    <ul class="rows rows-shares">
      {rows.map(([name, count]) => (
        <li key={name}>
          <bdi class="break">{name}</bdi>
          <Share of={count / largest} />
          <span class="number">{grouped(count)}</span>
        </li>
      ))}
    </ul>
  );
}

/** A table with a name in its first column, and numbers in the others. On a phone it scrolls, also with the keyboard. */
export const Table = ({
  columns: [first, ...others],
  rows,
}: {
  columns: string[];
  rows: { key: string; name: ComponentChildren; values: string[] }[];
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: can be scrolled sideways, so it must be reachable by keys.
  <section class="table-scroll" tabIndex={0} aria-label={[first, ...others].join(', ')}>
    <table class="table">
      <thead>
        <tr>
          <th scope="col">{first}</th>
          {others.map((name) => (
            <th key={name} scope="col" class="number">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, values }) => (
          <tr key={key}>
            <th scope="row">{name}</th>
            {values.map((value, at) => (
              <td key={at} class="number">
                {value}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
