/**
 * Draws commands and their output as an animated SVG, as a terminal showed them. It contains no script, no font and no
 * address, so that GitHub and npm show it as an image. Without animation it shows the end. For output that moves no
 * cursor, this needs no terminal emulator.
 */
export interface TypedCommand {
  prompt: string;
  command: string;
  /** What the terminal showed, with its colours. */
  output: string;
  ms: number;
}

export const columns = 118;
const charWidth = 7.2;
const rowHeight = 18;
const padding = 16;

/** Milliseconds of the animation. Waiting is shortened. */
const timing = {
  perChar: 26,
  maxTyping: 2_600,
  maxWait: 1_400,
  perOutputRow: 260,
  minReading: 1_500,
  end: 9_000,
};
const plays = 3;

/** A piece of a row in one style: the numbers of the escape sequences, such as `1` for bold. */
interface Piece {
  text: string;
  style: string;
}

interface Step {
  rows: Piece[][];
  /** Columns of the prompt, if this step is typed. */
  typedFrom?: number;
  from: number;
  /** When everything is typed. */
  to: number;
}

export function terminalSvg(commands: TypedCommand[], title: string): string {
  const { steps, duration } = timeline(commands);
  let row = 0;
  const [styles, groups]: [string[], string[]] = [[], []];
  for (const [at, step] of steps.entries()) {
    styles.push(appearing(at, step, duration));
    groups.push(
      `<g class="s${at}">${step.rows.map((pieces, below) => drawnRow(pieces, row + below)).join('')}`,
    );
    if (step.typedFrom !== undefined) {
      const { css, covers } = typing(at, { ...step, typedFrom: step.typedFrom }, row, duration);
      styles.push(css);
      groups.push(covers);
    }
    groups.push('</g>\n');
    row += step.rows.length;
  }
  const [width, height] = [columns * charWidth + 2 * padding, row * rowHeight + 2 * padding];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${round(width)}" height="${height}" viewBox="0 0 ${round(width)} ${height}" role="img" aria-labelledby="title">
<title id="title">${escaped(title)}</title>
<style>
text{font:12px ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono","DejaVu Sans Mono",monospace;fill:#e4e4ec;white-space:pre}
${Object.entries(colours)
  .map(([code, css]) => `.c${code}{${css}}`)
  .join('')}
.cover{visibility:hidden}
@media (prefers-reduced-motion:no-preference){
${styles.join('\n')}
}
</style>
<rect width="100%" height="100%" rx="8" fill="${background}"/>
${groups.join('')}</svg>
`;
}

const background = '#17171d';
const colours: Record<string, string> = {
  prompt: 'fill:#a79bff',
  1: 'font-weight:700',
  2: 'fill:#9a9aa8',
  31: 'fill:#ff9d94',
  32: 'fill:#7ad49a',
  33: 'fill:#f0b860',
  35: 'fill:#d9a0e8',
  36: 'fill:#6fd0d6',
};

function timeline(commands: TypedCommand[]): { steps: Step[]; duration: number } {
  const steps: Step[] = [];
  let now = 500;
  for (const [at, { prompt, command, output: screen, ms }] of commands.entries()) {
    // Carriage returns, and switching the cursor off and on.
    const output = screen.replaceAll(/\r|\x1b\[\?\d+[hl]/g, '').trimEnd();
    const typed = rowsOf(`${styleStart}prompt${styleEnd}${prompt}${styleStart}0${styleEnd}${command}`);
    const end = now + Math.min(timing.maxTyping, command.length * timing.perChar);
    steps.push({ rows: typed, typedFrom: prompt.length, from: now, to: end });
    now = end + Math.min(timing.maxWait, ms);
    // An empty row separates the commands.
    const rows = [...(output === '' ? [] : rowsOf(output)), ...(at < commands.length - 1 ? [[]] : [])];
    steps.push({ rows, from: now, to: now });
    now += Math.max(timing.minReading, rows.length * timing.perOutputRow);
  }
  return { steps, duration: now + timing.end };
}

const styleStart = '\x1b[';
const styleEnd = 'm';

/** Splits output into rows as a terminal of this width does. Of the escape sequences, it keeps those for styles. */
function rowsOf(output: string): Piece[][] {
  const rows: Piece[][] = [];
  const active = new Set<string>();
  for (const line of output.split('\n')) {
    let [row, length]: [Piece[], number] = [[], 0];
    for (const [, codes, char] of line.matchAll(/\x1b\[([\w;]*)m|(.)/gu)) {
      if (char === undefined) {
        for (const code of (codes ?? '0').split(';'))
          code === '0' || code === '' ? active.clear() : active.add(code);
        continue;
      }
      if (length === columns) {
        rows.push(row);
        [row, length] = [[], 0];
      }
      const style = [...active]
        .filter((code) => code in colours)
        .map((code) => `c${code}`)
        .join(' ');
      const last = row.at(-1);
      if (last?.style === style) last.text += char;
      else row.push({ text: char, style });
      length += 1;
    }
    rows.push(row);
  }
  return rows;
}

const round = (value: number): number => Math.round(value * 100) / 100;
const topOf = (row: number): number => padding + row * rowHeight;

/** `textLength` keeps the columns aligned, whatever monospace font the reader has. */
function drawnRow(pieces: Piece[], row: number): string {
  const length = pieces.reduce((sum, { text }) => sum + [...text].length, 0);
  if (length === 0) return '';
  const spans = pieces.map(({ text, style }) =>
    style === '' ? escaped(text) : `<tspan class="${style}">${escaped(text)}</tspan>`,
  );
  return `<text x="${padding}" y="${topOf(row) + 13}" textLength="${round(length * charWidth)}" xml:space="preserve">${spans.join('')}</text>\n`;
}

const percent = (ms: number, duration: number): string => `${round((100 * ms) / duration)}%`;
const animation = (name: string, duration: number): string =>
  `animation:${name} ${round(duration / 1000)}s step-end ${plays}`;

const appearing = (at: number, { from }: Step, duration: number): string =>
  `@keyframes s${at}{0%{visibility:hidden}${percent(from, duration)},100%{visibility:visible}}.s${at}{${animation(`s${at}`, duration)}}`;

/** A rectangle with a cursor covers each typed row and moves to the right, one column at a time. */
function typing(
  at: number,
  { rows, typedFrom, from, to }: Step & { typedFrom: number },
  firstRow: number,
  duration: number,
): { css: string; covers: string } {
  const [css, covers]: [string[], string[]] = [[], []];
  const lengths = rows.map((pieces) => pieces.reduce((sum, { text }) => sum + [...text].length, 0));
  const all = lengths.reduce((sum, length) => sum + length, 0) - typedFrom;
  let typed = 0;
  for (const [below, length] of lengths.entries()) {
    const start = below === 0 ? typedFrom : 0;
    const own = length - start;
    const timeAt = (count: number) => percent(from + ((to - from) * count) / all, duration);
    const name = `t${at}-${below}`;
    // Until its row appears, a cover is hidden too: it does not inherit from its group while it is animated.
    const frames = [
      '0%{visibility:hidden;transform:none}',
      ...(below === 0 ? [] : [`${percent(from, duration)}{visibility:visible;transform:none}`]),
      `${timeAt(typed)}{visibility:visible;transform:none;animation-timing-function:steps(${own})}`,
      `${timeAt(typed + own)},100%{visibility:hidden;transform:translateX(${round(own * charWidth)}px)}`,
    ];
    css.push(`@keyframes ${name}{${frames.join('')}}.${name}{${animation(name, duration)}}`);
    const x = round(padding + start * charWidth);
    const y = topOf(firstRow + below);
    const cursor = below === 0 ? `<rect x="${x}" y="${y}" width="7" height="15" fill="#e4e4ec"/>` : '';
    covers.push(
      `<g class="cover ${name}"><rect x="${x}" y="${y - 1}" width="${round(columns * charWidth)}" height="${rowHeight}" fill="${background}"/>${cursor}</g>\n`,
    );
    typed += own;
  }
  return { css: css.join('\n'), covers: covers.join('') };
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The text of the terminal, one line per row. */
export const textOfSvg = (svg: string): string =>
  [...svg.matchAll(/<text [^>]*>(.*?)<\/text>/gs)]
    .map(([, content = '']) =>
      content
        .replaceAll(/<[^>]*>/g, '')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&amp;', '&'),
    )
    .join('\n');
