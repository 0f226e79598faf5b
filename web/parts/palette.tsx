import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { Answer, ShownHit } from '../api.ts';
import { useResource } from '../resource.ts';
import { go, linkTo } from '../router.ts';
import type { Section } from '../sections.ts';
import { AgentMark, FreshnessBadge, KindBadge } from './badges.tsx';
import { Dialog } from './dialog.tsx';
import { Icon } from './icon.tsx';
import type { Jump } from './jumps.ts';
import { MemoryLine } from './memory-text.tsx';
import { Key } from './states.tsx';
import { Age } from './time.tsx';
import { useAnswer } from './use-answer.ts';

export const isPaletteOpen = signal(false);

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
  /** Finds places that have a name, such as files. */
  jump?(words: string): Promise<Jump[]>;
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
  const [at, setAt] = useState(0);
  const asked = usePaused(text.trim());
  const { value: answer, isLoading } = useAnswer(asked, (words) => ask(words, shownHits));
  const jumps = useResource(async () => ({ asked, items: (await jump?.(asked)) ?? [] }), [asked]);
  const words = text.toLowerCase().trim();
  const places = (jumps.value?.items ?? []).map(
    (each): Choice => ({ id: `jump-${each.link}`, link: each.link, jump: each }),
  );
  const pages = sections
    .filter(({ name, question }) => `${name} ${question}`.toLowerCase().includes(words))
    .map((section): Choice => ({ id: `page-${section.page}`, link: linkTo(section.page), section }));
  const isBegun = ({ section }: Choice): boolean =>
    words.length > 1 && section?.name.toLowerCase().startsWith(words) === true;
  const choices: Choice[] = [
    ...pages.filter(isBegun),
    ...places.filter(({ jump: place }) => place?.isNamed),
    ...(answer?.items ?? []).map((hit): Choice => ({ id: `hit-${hit.id}`, link: linkOf(hit), hit })),
    ...places.filter(({ jump: place }) => !place?.isNamed),
    ...(words === '' ? [] : [{ id: 'all', link: linkTo('search', '', { q: text }) }]),
    ...pages.filter((page) => !isBegun(page)),
  ];
  const chosen = Math.min(at, choices.length - 1);
  // True if the chosen line belongs to the typed query. If it is still one of an earlier query, Enter opens the search
  // page instead.
  const isForThese =
    (choices[chosen]?.hit === undefined || answer?.asked === text.trim()) &&
    (choices[chosen]?.jump === undefined || jumps.value?.asked === text.trim());
  const open = (choice: Choice | undefined) => {
    if (choice === undefined) return;
    isPaletteOpen.value = false;
    go(choice.link);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt((chosen + step + choices.length) % Math.max(1, choices.length));
    else if (event.key === 'Enter')
      open(isForThese ? choices[chosen] : choices.find(({ id }) => id === 'all'));
    else return;
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
          aria-activedescendant={choices[chosen]?.id}
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
            setAt(0);
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
        {hit.drift !== undefined && hit.drift.state !== 'unanchored' && (
          <FreshnessBadge label={hit.drift.state} />
        )}
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
