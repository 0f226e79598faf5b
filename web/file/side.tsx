import type { ComponentChildren } from 'preact';
import type { FilePage, FileStory } from '../../src/wire/answers/file-page.ts';
import { agentName } from '../parts/agents.ts';
import { AgentMark } from '../parts/badges.tsx';
import { dayOf } from '../parts/days.ts';
import { fileLink } from '../parts/file-link.ts';
import { Fold } from '../parts/fold.tsx';
import { Icon } from '../parts/icon.tsx';
import { MemoryLine } from '../parts/memory-text.tsx';
import { grouped } from '../parts/numbers.ts';
import { Age, shortDay, timeOf } from '../parts/time.tsx';
import { linkTo } from '../router.ts';
import { NoteLine } from './margin.tsx';
import { type Colouring, colourings, type Tone } from './story.ts';

/** Whether the sections are beside the code, and not above it: see file.css. */
const isWide = (): boolean => matchMedia('(width >= 1440px)').matches;

interface SideProps {
  page: FilePage;
  /** Absent while it is loading. */
  story: FileStory | undefined;
  legend: Tone[];
  colouring: Colouring;
  onColour: (by: Colouring) => void;
}

const colouringNames: Record<Colouring, string> = { session: 'Session', person: 'Person', age: 'Age' };

/** What concerns the file as a whole: who wrote it, its symbols, notes, attempts and past states. */
export function Side({ page, story, legend, colouring, onColour }: SideProps) {
  const { path, symbols } = page;
  const { notes = [], tried = [], states = [], titles = {} } = story ?? {};
  return (
    <aside class="file-side" aria-label="About this file">
      {story !== undefined && (
        <Fold name="Written by" isOpen={isWide()}>
          <fieldset class="segmented">
            <legend class="unseen">Colour by</legend>
            {colourings.map((by) => (
              <label key={by}>
                <input
                  type="radio"
                  name="colouring"
                  checked={by === colouring}
                  onChange={() => onColour(by)}
                />
                {colouringNames[by]}
              </label>
            ))}
          </fieldset>
          <ul class="tones" data-colouring={colouring}>
            {legend.map((tone) => (
              <li key={`${tone.tone} ${tone.first}`}>
                <a title={tone.label} href={fileLink(path, { line: tone.first, commit: page.commit })}>
                  <span class="swatch" data-tone={tone.tone} />
                  {tone.agent !== undefined && <AgentMark agent={tone.agent} />}
                  <span class="cut">
                    <MemoryLine text={tone.label} />
                  </span>
                  <span class="muted number">{share(tone.lines, page.lines.length)}</span>
                </a>
              </li>
            ))}
          </ul>
        </Fold>
      )}
      <Fold name="Outline" count={symbols.length} isOpen={isWide()}>
        <ul class="outline">
          {symbols.map(({ name, kind, container, startLine, endLine }) => (
            <li key={`${startLine} ${name}`} data-depth={container === '' ? 0 : container.split('.').length}>
              <a
                href={fileLink(path, { line: startLine, to: endLine, commit: page.commit })}
                title={`${kind} ${container === '' ? '' : `${container}.`}${name}`}
              >
                <span class="cut">{name}</span>
                <span class="muted number">{startLine}</span>
              </a>
            </li>
          ))}
        </ul>
      </Fold>
      <Fold name="Notes" count={notes.length} isOpen={isWide()}>
        <ul class="side-list">
          {notes.map((note) => (
            <li key={note.id}>
              <NoteLine note={note} />
              {note.lines[0] !== undefined && (
                <a
                  class="muted"
                  href={fileLink(path, {
                    line: note.lines[0][0],
                    to: note.lines[0][1],
                    commit: page.commit,
                  })}
                >
                  line {note.lines[0][0]}
                </a>
              )}
            </li>
          ))}
        </ul>
      </Fold>
      <Fold name="Tried and taken back" count={tried.length} isOpen={isWide()}>
        <ul class="side-list">
          {tried.map((each) => (
            <li key={each.at}>
              <a href={linkTo('session', each.agentSession, { at: each.edit ?? '' })}>
                <MemoryLine text={each.failure?.text ?? each.prompt?.text ?? 'No words recorded'} />
              </a>
              <span class="muted">
                {agentName(each.agent)}, {shortDay(dayOf(each.at))}, {timeOf(each.at)}:{' '}
                <MemoryLine text={titles[each.agentSession] || 'No prompt'} />
              </span>
            </li>
          ))}
        </ul>
      </Fold>
      <Fold name="Past states" count={states.length}>
        <ol class="side-list states">
          {page.commit !== undefined && (
            <li>
              <a href={fileLink(path)}>The file as it is now</a>
            </li>
          )}
          {states.map((state) =>
            state.kind === 'commit' ? (
              <li key={state.hash} aria-current={state.hash === page.commit || undefined}>
                <a href={fileLink(path, { commit: state.hash })}>
                  <Icon name="commit" /> <MemoryLine text={state.subject} />
                </a>
                <Change state={state}>
                  <code>{state.hash.slice(0, 8)}</code> {state.author}, <Age at={state.at} />
                </Change>
              </li>
            ) : (
              <li key={state.id}>
                <a href={linkTo('session', state.agentSession, { at: state.id })}>
                  <AgentMark agent={state.agent} />
                  <MemoryLine text={titles[state.agentSession] || 'No prompt'} />
                </a>
                <Change state={state}>
                  Edited {shortDay(dayOf(state.at))}, {timeOf(state.at)}
                </Change>
              </li>
            ),
          )}
        </ol>
      </Fold>
    </aside>
  );
}

const Change = ({
  state: { added, removed },
  children,
}: {
  state: { added: number; removed: number };
  children: ComponentChildren;
}) => (
  <span class="muted">
    {children} <span class="plus">+{grouped(added)}</span> <span class="minus">−{grouped(removed)}</span>
  </span>
);

const share = (lines: number, all: number): string => {
  const percent = (100 * lines) / Math.max(1, all);
  return percent < 1 ? '< 1 %' : `${Math.round(percent)} %`;
};
