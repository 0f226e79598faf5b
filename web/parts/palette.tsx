import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Answer, ShownHit } from '../api.ts';
import { go, linkTo } from '../router.ts';
import type { Section } from '../sections.ts';
import { AgentMark, KindBadge } from './badges.tsx';
import { Dialog } from './dialog.tsx';
import { Icon } from './icon.tsx';
import type { Jump } from './jumps.ts';
import { MemoryLine } from './memory-text.tsx';
import { Key } from './states.tsx';
import { Age } from './time.tsx';
import { useAnswer } from './use-answer.ts';

const isPaletteOpen = signal(false);

export const openPalette = (): void => {
  isPaletteOpen.value = true;
};

/** A dialog that searches memory while the user types and jumps to pages. */
export const Palette = (props: PaletteProps) => (
  <Dialog open={isPaletteOpen} label="Search or jump">
    <PaletteBody {...props} />
  </Dialog>
);

export interface PaletteProps {
  sections: Section[];
  ask(words: string, limit: number): Promise<Answer>;
  /** Link to the page that shows the hit in full. */
  linkOf(hit: ShownHit): string;
  /** Finds places that have a name, such as files. The promises settle independently of each other. */
  jump?(words: string): Promise<Jump[]>[];
}

const shownHits = 7;
/** The time without typing after which a question is asked. */
const pauseMs = 60;

interface Choice {
  id: string;
  link: string;
  hit?: ShownHit;
  section?: Section;
  jump?: Jump;
}

function PaletteBody({ sections, ask, linkOf, jump }: PaletteProps) {
  const [text, setText] = useState('');
  const [at, setAt] = useState<number | undefined>(undefined);
  /** The text with which Enter was pressed before the best line for it was found. */
  const [entered, setEntered] = useState('');
  const typed = text.trim();
  const asked = usePaused(typed);
  const { value: answer, failure, isLoading } = useAnswer(asked, (words) => ask(words, shownHits));
  const jumps = useJumps(asked, jump);
  const words = typed.toLowerCase();
  const places = jumps.items.map(
    (each): Choice => ({ id: `jump-${each.link}`, link: each.link, jump: each }),
  );
  const pages = sections
    .filter(({ name, question }) => `${name} ${question}`.toLowerCase().includes(words))
    .map((section): Choice => ({ id: `page-${section.page}`, link: linkTo(section.page), section }));
  const isBegun = ({ section }: Choice): boolean =>
    words.length > 1 && section?.name.toLowerCase().startsWith(words) === true;
  const isComplete = jumps.asked === typed && !jumps.isLoading;
  const isAnswered = answer?.asked === typed || failure !== undefined;
  const all: Choice = { id: 'all', link: linkTo('search', '', { q: text }) };
  // The best first. The rows below all results are added once everything above them is there.
  const best: Choice[] = [
    ...pages.filter(isBegun),
    ...places.filter(({ jump: place }) => place?.isNamed),
    ...(answer?.items ?? []).map((hit): Choice => ({ id: `hit-${hit.id}`, link: linkOf(hit), hit })),
    ...places.filter(({ jump: place }) => !place?.isNamed),
    ...(words === '' || !isComplete || !isAnswered ? [] : [all]),
    ...(words === '' || (isComplete && isAnswered) ? pages.filter((page) => !isBegun(page)) : []),
  ];
  const choices = useInOrderShown(typed, best);
  // Until the user moves, the best is chosen, wherever it is shown.
  const chosen =
    at === undefined ? choices.findIndex(({ id }) => id === best[0]?.id) : Math.min(at, choices.length - 1);
  const choice = choices[chosen];
  // The lines of an earlier query stay until those of the typed one arrive.
  const isForThese =
    (choice?.hit === undefined || answer?.asked === typed) &&
    (choice?.jump === undefined || jumps.asked === typed);
  const open = (wanted: Choice | undefined) => {
    if (wanted === undefined) return;
    isPaletteOpen.value = false;
    go(wanted.link);
  };
  // Enter opens a chosen line, or a name that was typed, at once. Else it waits, because a file or a session with this
  // name may still be found. Without one, it opens the best memory if that is here, and else the search page.
  const isCertain = at !== undefined || choice?.section !== undefined || choice?.jump?.isNamed === true;
  useEffect(() => {
    if (typed === '' || entered !== typed) return;
    if (isForThese && (isCertain || isComplete)) open(choice);
    else if (isComplete) open(all);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt((chosen + step + choices.length) % Math.max(1, choices.length));
    else if (event.key !== 'Enter') return;
    else if (typed === '') open(choice);
    else setEntered(typed);
    event.preventDefault();
  };
  return (
    <div class="palette">
      <div class="palette-input">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={choice?.id}
          aria-label="Search memory or jump to a page"
          placeholder={
            jump === undefined
              ? 'Search memory, or jump to a page'
              : 'Search memory, or jump to a file, a line, a symbol…'
          }
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setAt(undefined);
            setEntered('');
          }}
          onKeyDown={onKeyDown}
        />
        <span class={isLoading || jumps.isLoading ? 'busy' : ''} />
      </div>
      <div id="palette-list" class="palette-list" role="listbox" aria-label="Results">
        {choices.map((choice, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and the keys.
          <div
            key={choice.id}
            id={choice.id}
            class="choice"
            role="option"
            tabIndex={-1}
            aria-selected={place === chosen}
            onClick={() => open(choice)}
            onMouseMove={() => setAt(place)}
          >
            <ChoiceLine choice={choice} text={text} />
          </div>
        ))}
      </div>
    </div>
  );
}

interface Jumps {
  asked: string;
  items: Jump[];
  isLoading: boolean;
}

/** Places by the name that was typed. Each kind is shown as soon as it is found; one that fails is left out. */
function useJumps(asked: string, jump: PaletteProps['jump']): Jumps {
  const [jumps, set] = useState<Jumps>({ asked: '', items: [], isLoading: false });
  useEffect(() => {
    let isWanted = true;
    const found: Jump[][] = [];
    const show = (isLoading: boolean) =>
      isWanted && set({ asked, items: found.flatMap((items) => items ?? []), isLoading });
    const kinds = jump?.(asked) ?? [];
    set((before) => ({ ...before, isLoading: true }));
    const shown = kinds.map((kind, at) =>
      kind.then(
        (items) => {
          found[at] = items;
          show(true);
        },
        () => undefined,
      ),
    );
    void Promise.all(shown).then(() => show(false));
    return () => {
      isWanted = false;
    };
  }, [asked]);
  return jumps;
}

/**
 * Rows in the order in which they were first shown for this text, so that none moves while the user reads or points.
 * Rows that lead to the same place are one.
 */
function useInOrderShown(of: string, best: Choice[]): Choice[] {
  const shown = useRef({ of, ids: [] as string[] });
  const before = shown.current.of === of ? shown.current.ids : [];
  const unique = best.filter(({ link }, at) => best.findIndex((other) => other.link === link) === at);
  const placeOf = ({ id }: Choice): number => (before.includes(id) ? before.indexOf(id) : before.length);
  const rows = unique.sort((a, b) => placeOf(a) - placeOf(b));
  useLayoutEffect(() => {
    shown.current = {
      of,
      ids: [...before, ...rows.map(({ id }) => id).filter((id) => !before.includes(id))],
    };
  });
  return rows;
}

/** The text once nothing was typed for a moment. An empty one counts at once. */
function usePaused(text: string): string {
  const [paused, set] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => set(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return text === '' ? '' : paused;
}

function ChoiceLine({ choice: { hit, section, jump }, text }: { choice: Choice; text: string }) {
  if (hit !== undefined)
    return (
      <>
        {hit.source === 'note' ? <KindBadge kind={hit.kind} /> : <AgentMark agent={hit.agent} />}
        <MemoryLine text={hit.preview} words={text.split(/\s+/)} />
        <span class="muted">
          <Age at={hit.at} />
        </span>
      </>
    );
  if (jump !== undefined)
    return (
      <>
        <Icon name={jump.icon} />
        <MemoryLine text={jump.title} words={text.split(/\s+/)} />
        <span class="muted choice-detail">{jump.detail}</span>
      </>
    );
  if (section === undefined)
    return (
      <>
        <Icon name="search" />
        <span class="memory-line">All results for “{text}”</span>
      </>
    );
  return (
    <>
      <Icon name={section.icon} />
      <span class="memory-line">
        {section.name} <span class="muted">{section.question}</span>
      </span>
      <Key of={`g ${section.letter}`} />
    </>
  );
}
