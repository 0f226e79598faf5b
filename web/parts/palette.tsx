import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { Answer, ShownHit } from '../api.ts';
import { go, linkTo } from '../router.ts';
import type { Section } from '../sections.ts';
import { AgentMark, FreshnessBadge, KindBadge } from './badges.tsx';
import { Dialog } from './dialog.tsx';
import { Icon } from './icon.tsx';
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
}

const shownHits = 7;

interface Choice {
  id: string;
  link: string;
  hit?: ShownHit;
  section?: Section;
}

function PaletteBody({ sections, ask, linkOf }: PaletteProps) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const { value: answer, isLoading } = useAnswer(text, (words) => ask(words, shownHits));
  const words = text.toLowerCase().trim();
  const jumps = sections.filter(({ name, question }) => `${name} ${question}`.toLowerCase().includes(words));
  const choices: Choice[] = [
    ...(answer?.items ?? []).map((hit): Choice => ({ id: `hit-${hit.id}`, link: linkOf(hit), hit })),
    ...(words === '' ? [] : [{ id: 'all', link: linkTo('search', '', { q: text }) }]),
    ...jumps.map((section): Choice => ({ id: `page-${section.page}`, link: linkTo(section.page), section })),
  ];
  const chosen = Math.min(at, choices.length - 1);
  // True if the hits belong to the typed query. If they are still those of an earlier query, Enter opens the search
  // page instead of a hit.
  const isForThese = words === '' || choices[chosen]?.hit === undefined || answer?.asked === text.trim();
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
          placeholder="Search memory, or jump to a page"
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
        <span class={isLoading ? 'busy' : ''} />
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

function ChoiceLine({ choice: { hit, section }, text }: { choice: Choice; text: string }) {
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
