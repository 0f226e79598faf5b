import type { DriftState } from '../../src/wire/answers/memory.ts';
import type { CodePiece as Code, NoteCode } from '../../src/wire/answers/sessions.ts';
import { useResource } from '../resource.ts';
import { FreshnessBadge, meaningOf } from './badges.tsx';
import { escapeHidden } from './escape-hidden.ts';
import { FileName } from './file-name.tsx';
import type { DiffRow } from './line-diff.ts';
import { Loaded } from './states.tsx';

/** Shows the code of a note then and now. The state is explained only if it differs from that of the whole note. */
export function CodePair({ code, verdict }: { code: NoteCode; verdict: DriftState }) {
  const { path, symbol, state, by, past, now } = code;
  const place =
    now === undefined
      ? { path, commit: past?.commit, line: past?.startLine }
      : { path: now.path, ...spanOf(now) };
  const isDifferent = past !== undefined && now !== undefined && past.text !== now.text;
  return (
    <section class="anchor" aria-label={`${path} ${symbol ?? ''}`}>
      <header>
        <span class="anchor-path">
          <FileName {...place} />
        </span>
        {symbol !== undefined && (
          <span class="anchor-symbol">
            <FileName {...place} label={symbol} />
          </span>
        )}
        <FreshnessBadge label={state} />
      </header>
      <p class="anchor-why">
        {isDifferent && (state === 'current' || state === 'moved')
          ? 'The lines that it is about are unchanged; others beside them are not.'
          : state === verdict
            ? ''
            : meaningOf(state)}
        {now !== undefined && now.path !== path && (
          <>
            {' '}
            It was in <code>{path}</code>.
          </>
        )}
        {by !== undefined && (
          <>
            {' '}
            Changed by <FileName path={now?.path ?? path} commit={by} label={by.slice(0, 8)} />.
          </>
        )}
      </p>
      {isDifferent && <SideBySide past={past} now={now} />}
      {!isDifferent && (now ?? past) !== undefined && (
        <Listing code={(now ?? past) as Code} isGone={now === undefined} />
      )}
    </section>
  );
}

/** The lines of a piece of code, as a place in its file. */
const spanOf = ({ startLine, text }: Code) => ({
  line: startLine,
  to: startLine + text.replace(/\n$/, '').split('\n').length - 1,
});

const linesOf = (code: Code): string[] => escapeHidden(code.text).replace(/\n$/, '').split('\n');

/** Loads what compares lines on first use, because the first view does not need it. */
function SideBySide({ past, now }: { past: Code; now: Code }) {
  const code = useResource(() => import('./line-diff.ts'), []);
  return (
    <Loaded of={code}>
      {({ diffLines }) => (
        <Rows
          of={aroundChanges(diffLines(linesOf(past), linesOf(now), past.startLine, now.startLine))}
          commit={past.commit}
        />
      )}
    </Loaded>
  );
}

function Rows({ of: rows, commit }: { of: (DiffRow | 'gap')[]; commit: string | undefined }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: can be scrolled sideways, so it must be reachable by keys.
    <section class="code-scroll" tabIndex={0} aria-label="The code then and now">
      <table class="code code-pair">
        <colgroup>
          <col class="code-number" />
          <col />
          <col class="code-number" />
          <col />
        </colgroup>
        <thead>
          <tr>
            <th colSpan={2} scope="colgroup">
              Then{commit !== undefined && <code>{commit.slice(0, 8)}</code>}
            </th>
            <th colSpan={2} scope="colgroup">
              Now
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) =>
            row === 'gap' ? (
              <tr key={at} class="code-gap">
                <td colSpan={4}>⋯</td>
              </tr>
            ) : (
              <tr key={at} class={row.isSame ? 'same' : ''}>
                <Cell line={row.past} mark={row.isSame ? '' : 'went'} />
                <Cell line={row.now} mark={row.isSame ? '' : 'came'} />
              </tr>
            ),
          )}
        </tbody>
      </table>
    </section>
  );
}

const Cell = ({ line, mark }: { line: DiffRow['past']; mark: string }) => (
  <>
    <td class={line === undefined ? 'code-number code-none' : 'code-number'}>{line?.line}</td>
    <td class={line === undefined ? 'code-none' : mark}>{line?.text}</td>
  </>
);

const context = 3;

/** Replaces long unchanged ranges by a gap. */
function aroundChanges(rows: DiffRow[]): (DiffRow | 'gap')[] {
  const isNear = rows.map((_, at) =>
    rows.slice(Math.max(0, at - context), at + context + 1).some(({ isSame }) => !isSame),
  );
  return rows.flatMap((row, at): (DiffRow | 'gap')[] => {
    if (isNear[at] === true) return [row];
    return at === 0 || isNear[at - 1] === true ? ['gap'] : [];
  });
}

const shownLines = 40;

function Listing({ code, isGone }: { code: Code; isGone: boolean }) {
  const lines = linesOf(code);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: can be scrolled sideways, so it must be reachable by keys.
    <section class="code-scroll" tabIndex={0} aria-label={isGone ? 'The code as it was' : 'The code now'}>
      <table class="code" data-gone={isGone || undefined}>
        <tbody>
          {lines.slice(0, shownLines).map((text, at) => (
            <tr key={at}>
              <td class="code-number">{code.startLine + at}</td>
              <td class={isGone ? 'went' : ''}>{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length > shownLines && <p class="muted code-more">{lines.length - shownLines} more lines</p>}
    </section>
  );
}
