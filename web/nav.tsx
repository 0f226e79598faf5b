import { liveState } from './live.ts';
import { overview, projects } from './overview.ts';
import { isHelpOpen } from './parts/help.tsx';
import { Icon } from './parts/icon.tsx';
import { grouped } from './parts/numbers.ts';
import { isPaletteOpen } from './parts/palette.tsx';
import { Key } from './parts/states.tsx';
import { chooseProject } from './project.ts';
import { linkTo, route } from './router.ts';
import { sections } from './sections.ts';
import { nextTheme, theme } from './theme.ts';

const liveWords = { connecting: 'Connecting', live: 'Live', away: 'Not running' } as const;
const themeIcons = { system: 'system', light: 'sun', dark: 'moon' } as const;

/** Where one is in the project, and where one can go: a column on a wide screen, a bar on a narrow one. */
export function Nav() {
  const waiting = overview.value?.notes.candidate ?? 0;
  return (
    <header class="frame">
      <div class="frame-top">
        <a class="brand" href={linkTo('timeline')}>
          <img src="icon.svg" alt="" width="24" height="24" />
          <span class="brand-words">
            <strong>Backstory</strong>
            <bdi class="brand-project">{overview.value?.project.name ?? ''}</bdi>
          </span>
        </a>
        <button
          type="button"
          class="ask"
          aria-label="Search or jump"
          onClick={() => {
            isPaletteOpen.value = true;
          }}
        >
          <Icon name="search" />
          <span>Search or jump</span>
          <Key of="/" />
        </button>
      </div>
      <nav aria-label="Sections">
        {sections.map(({ page, name, icon, letter }) => (
          <a key={page} href={linkTo(page)} aria-current={isHere(page) ? 'page' : undefined}>
            <Icon name={icon} />
            <span class="nav-name">{name}</span>
            {page === 'review' && waiting > 0 && (
              <span class="count">
                {grouped(waiting)}
                <span class="unseen"> waiting</span>
              </span>
            )}
            <Key of={`g ${letter}`} />
          </a>
        ))}
      </nav>
      <div class="frame-bottom">
        <ProjectPick />
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
          onClick={() => {
            isHelpOpen.value = true;
          }}
        >
          <Icon name="help" />
        </button>
      </div>
    </header>
  );
}

/** Only where there is something to choose. */
function ProjectPick() {
  if (projects.value.length < 2) return null;
  return (
    <label class="project-pick">
      <span class="unseen">Project</span>
      <select
        value={overview.value?.project.id ?? ''}
        onChange={(event) => chooseProject(event.currentTarget.value)}
      >
        {projects.value.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A note was found by searching and an agent session on the timeline: one is still there, only deeper. */
function isHere(page: string): boolean {
  const here = route.value.page;
  return (
    here === page || (here === 'note' && page === 'search') || (here === 'session' && page === 'timeline')
  );
}
