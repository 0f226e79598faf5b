import type { ComponentType } from 'preact';
import { api } from './api.ts';
import { ProjectPick } from './frame.tsx';
import { overview, projects } from './overview.ts';
import { EventPage } from './pages/event.tsx';
import { NotePage } from './pages/note.tsx';
import { SearchPage } from './pages/search.tsx';
import { SessionPage } from './pages/session.tsx';
import { TimelinePage } from './pages/timeline.tsx';
import { TodayPage } from './pages/today.tsx';
import { TopicsPage } from './pages/topics.tsx';
import { hasFilePages } from './parts/file-name.tsx';
import { hitLink } from './parts/hit-link.ts';
import { findJumps } from './parts/jumps.ts';
import { askNextSteps } from './parts/next-steps.tsx';
import { Loaded } from './parts/states.tsx';
import { chooseProject } from './project.ts';
import { useResource } from './resource.ts';
import { go, linkTo, route } from './router.ts';
import { sections } from './sections.ts';
import { Shell } from './shell.tsx';

hasFilePages.value = true;
askNextSteps.value = api.nextSteps;

/** A page whose code is loaded on first use, because the first view does not need it. */
const later = (load: () => Promise<{ Body: ComponentType }>): ComponentType =>
  function Later() {
    const code = useResource(load, []);
    return <Loaded of={code}>{({ Body }) => <Body />}</Loaded>;
  };

const pages = {
  today: TodayPage,
  timeline: TimelinePage,
  session: SessionPage,
  search: SearchPage,
  topics: TopicsPage,
  note: NotePage,
  event: EventPage,
  file: later(async () => ({ Body: (await import('./file/page.tsx')).FileBody })),
  review: later(async () => ({ Body: (await import('./pages/review.tsx')).ReviewPage })),
  spend: later(async () => ({ Body: (await import('./pages/spend.tsx')).SpendPage })),
  health: later(async () => ({ Body: (await import('./pages/health.tsx')).HealthPage })),
};

const within: Record<string, string> = { note: 'topics', event: 'search', session: 'timeline' };

const noteKeys = {
  title: 'In Today, Review, notes and files',
  rows: [
    ['a', 'Accept'],
    ['o', 'The later note replaces it'],
    ['e', 'Edit'],
    ['r', 'Reject'],
    ['w', 'This note is wrong'],
    ['p', 'Pin or unpin'],
    ['n', 'Not here: do not tell it to sessions'],
    ['s', 'Share with the team, or take back'],
    ['x', 'Forget, after a preview'],
    ['A', 'Accept all of the session'],
    ['R', 'Reject all of the session'],
    ['u', 'Undo'],
    ['c', 'On a file: colour by session, person or age'],
  ] as [string, string][],
};

export const App = () => (
  <Shell
    pages={pages}
    sections={sections}
    within={within}
    keys={noteKeys}
    ask={(words, limit) => api.recall(words, { limit, checkCode: false })}
    linkOf={hitLink}
    place={overview.value?.project?.name ?? ''}
    jump={findJumps}
    waiting={{ review: overview.value?.waiting ?? 0 }}
    awayWord="Not running"
  >
    <ProjectPick
      projects={projects.value}
      chosen={overview.value?.project?.id ?? ''}
      onChoose={(id) => {
        chooseProject(id);
        // If a note or session is open, go to its section: the new project does not contain it.
        const section = within[route.value.page];
        if (section !== undefined) go(linkTo(section));
      }}
    />
  </Shell>
);
