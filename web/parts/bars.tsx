import { useState } from 'preact/hooks';

/** One day of a bar chart, with one value above and one below the zero line. */
export interface Bar {
  /** Unique label, shown below the first and the last bar. */
  name: string;
  up: number;
  down: number;
}

export interface BarsProps {
  /** Heading, also read by screen readers. */
  title: string;
  bars: Bar[];
  upName: string;
  downName?: string;
  format(value: number): string;
}

const height = 160;
const step = 20;
const gap = 5;

export function Bars({ title, bars, upName, downName, format }: BarsProps) {
  const [pointed, point] = useState(-1);
  const top = Math.max(...bars.map(({ up }) => up), 0);
  const bottom = Math.max(...bars.map(({ down }) => down), 0);
  const scale = height / (top + bottom || 1);
  const zero = top + bottom === 0 ? height : top * scale;
  const shown = bars[pointed];
  const total = (pick: 'up' | 'down') => bars.reduce((sum, bar) => sum + bar[pick], 0);
  return (
    <figure class="plot">
      <figcaption>
        <p class="plot-title">{title}</p>
        <p class="legend">
          <span class="legend-up">
            {upName} <strong>{format(shown?.up ?? total('up'))}</strong>
          </span>
          {downName !== undefined && (
            <span class="legend-down">
              {downName} <strong>{format(shown?.down ?? total('down'))}</strong>
            </span>
          )}
          <span class="muted">{shown?.name ?? `${bars.length} days`}</span>
        </p>
      </figcaption>
      <div class="plot-area">
        <p class="plot-scale" aria-hidden="true">
          <span>{format(top)}</span>
          <span>{format(bottom)}</span>
        </p>
        <svg
          viewBox={`0 0 ${bars.length * step} ${height + 2}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${title}: ${upName} ${format(total('up'))}${downName === undefined ? '' : `, ${downName} ${format(total('down'))}`} in ${bars.length} days`}
          onMouseMove={(event) =>
            point(Math.floor((event.offsetX / event.currentTarget.clientWidth) * bars.length))
          }
          onMouseLeave={() => point(-1)}
        >
          {bars.map(({ name, up, down }, at) => (
            <g key={name} class={at === pointed ? 'pointed' : ''}>
              <rect class="plot-room" x={at * step} y={0} width={step} height={height} />
              {up > 0 && <Part of="plot-up" at={at} y={zero - up * scale} size={up * scale} />}
              {down > 0 && <Part of="plot-down" at={at} y={zero + 1} size={down * scale} />}
            </g>
          ))}
          <line class="plot-zero" x1={0} x2={bars.length * step} y1={zero + 0.5} y2={zero + 0.5} />
        </svg>
        <p class="plot-ends">
          <span>{bars[0]?.name}</span>
          <span>{bars.at(-1)?.name}</span>
        </p>
      </div>
    </figure>
  );
}

const Part = ({ of, at, y, size }: { of: string; at: number; y: number; size: number }) => (
  <rect class={of} x={at * step + gap / 2} y={y} width={step - gap} height={Math.max(1, size)} />
);
