import type { ComponentChildren } from 'preact';
import { liveState } from './live.ts';
import { openHelp } from './parts/help.tsx';
import { Icon } from './parts/icon.tsx';
import { grouped } from './parts/numbers.ts';
import { openPalette } from './parts/palette.tsx';
import { Select } from './parts/select.tsx';
import { Key } from './parts/states.tsx';
import { linkTo } from './router.ts';
import type { Section } from './sections.ts';
import { nextTheme, theme } from './theme.ts';

const themeIcons = { system: 'system', light: 'sun', dark: 'moon' } as const;

export interface FrameProps {
  sections: Section[];
  /** Page name of the current section. */
  here: string;
  /** Name of the displayed project. */
  place: string;
  /** Number of items that need attention, by section. */
  waiting?: Record<string, number>;
  /** Connection status shown while the server is unreachable. */
  awayWord: string;
  /** Controls for choosing the project. */
  children?: ComponentChildren;
}

/** The navigation: a column on a wide screen, a bar on a narrow one. */
export function Frame({ sections, here, place, waiting = {}, awayWord, children }: FrameProps) {
  const liveWords = { connecting: 'Connecting', live: 'Live', away: awayWord };
  return (
    <header class="frame">
      <div class="frame-top">
        <a class="brand" href={linkTo(sections[0]?.page ?? '')}>
          <img src="icon.svg" alt="" width="24" height="24" />
          <span class="brand-words">
            <strong>Backstory</strong>
            <bdi class="brand-project">{place}</bdi>
          </span>
        </a>
        <button type="button" class="ask" aria-label="Search or jump" onClick={openPalette}>
          <Icon name="search" />
          <span>Search or jump</span>
          <Key of="/" />
        </button>
      </div>
      <nav aria-label="Sections">
        {sections.map(({ page, name, icon, letter }) => (
          <a key={page} href={linkTo(page)} aria-current={page === here ? 'page' : undefined}>
            <Icon name={icon} />
            <span class="nav-name">{name}</span>
            {(waiting[page] ?? 0) > 0 && (
              <span class="count">
                {grouped(waiting[page] ?? 0)}
                <span class="unseen"> waiting</span>
              </span>
            )}
            <Key of={`g ${letter}`} />
          </a>
        ))}
      </nav>
      {children}
      <div class="frame-bottom">
        <span class={`live live-${liveState.value}`} role="status">
          {liveWords[liveState.value]}
        </span>
        <button
          type="button"
          class="quiet"
          onClick={nextTheme}
          aria-label={`Theme: ${theme.value}`}
          title={`Theme: ${theme.value} (d)`}
        >
          <Icon name={themeIcons[theme.value]} />
        </button>
        <button
          type="button"
          class="quiet help-button"
          aria-label="Keyboard help"
          title="Keyboard help (?)"
          onClick={openHelp}
        >
          <Icon name="help" />
        </button>
      </div>
    </header>
  );
}

export interface PickProps {
  projects: { id: string; name: string }[];
  chosen: string;
  onChoose(id: string): void;
}

/** Selects a project. Hidden if there is only one. */
export const ProjectPick = ({ projects, chosen, onChoose }: PickProps) =>
  projects.length < 2 ? null : (
    <div class="project-pick">
      <Select
        label="Project"
        value={chosen}
        options={projects.map(({ id, name }) => [id, name])}
        onChange={onChoose}
      />
    </div>
  );
