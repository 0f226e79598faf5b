import { ProjectPick } from '../frame.tsx';
import { Icon } from '../parts/icon.tsx';
import { Empty, Failed } from '../parts/states.tsx';
import { settled } from '../parts/toast.tsx';
import { chooseProject, chosenProject } from '../project.ts';
import { go, linkTo } from '../router.ts';
import type { Section } from '../sections.ts';
import { Shell } from '../shell.tsx';
import { teamApi } from './api.ts';
import { loadSession, sessionFailure } from './load-session.ts';
import { TeamHomePage } from './pages/home.tsx';
import { MemoryPage } from './pages/memory.tsx';
import { TeamSearchPage } from './pages/search.tsx';
import { SignInPage } from './pages/sign-in.tsx';
import { StatsPage } from './pages/stats.tsx';
import { TeamTimelinePage } from './pages/timeline.tsx';
import { memoryLink } from './parts.tsx';
import { me, project, projects, rememberProject, signedOut } from './signed-in.ts';

const pages = {
  home: TeamHomePage,
  search: TeamSearchPage,
  note: MemoryPage,
  timeline: TeamTimelinePage,
  stats: StatsPage,
};

/** Sections of the team viewer. A team server knows no code, spending or health of a laptop. */
const sections: Section[] = [
  { page: 'home', name: 'Start', icon: 'today', letter: 'd', question: 'What holds, and who is here?' },
  { page: 'search', name: 'Search', icon: 'search', letter: 'f', question: 'What do we know?' },
  { page: 'timeline', name: 'Timeline', icon: 'timeline', letter: 't', question: 'What has changed?' },
  {
    page: 'stats',
    name: 'Memory',
    icon: 'spend',
    letter: 's',
    question: 'How much do we know, and who wrote it?',
  },
];

const memoryKeys = {
  title: 'On a memory',
  rows: [
    ['x', 'Delete'],
    ['u', 'Undo'],
  ] as [string, string][],
};

export function TeamApp() {
  if (me.value === undefined) return <Loading />;
  if (me.value === 'nobody') return <SignInPage />;
  if (projects.value.length === 0) return <NoProject />;
  return (
    <Shell
      pages={pages}
      sections={sections}
      within={{ note: 'search' }}
      keys={memoryKeys}
      ask={(words, limit) => teamApi.recall(words, { limit })}
      linkOf={memoryLink}
      place={project.value?.name ?? ''}
      awayWord="Unreachable"
    >
      <div class="who">
        <ProjectPick projects={projects.value} chosen={chosenProject.value} onChoose={changeProject} />
        <button type="button" class="quiet sign-out" aria-label="Sign out" onClick={signOut}>
          <Icon name="leave" />
          <span>Sign out</span>
        </button>
      </div>
    </Shell>
  );
}

/** Opens the start page, because the open memory belongs to the previous project. */
function changeProject(id: string): void {
  rememberProject(id);
  chooseProject(id);
  go(linkTo('home'));
}

/** Signs out. Sends a pending deletion first, because it needs the session cookie. */
async function signOut(): Promise<void> {
  if (!(await settled())) return;
  await teamApi.signOut().catch(() => undefined);
  signedOut();
}

/** Offers a retry if the session could not be loaded. A signed-in person need not sign in again. */
const Loading = () =>
  sessionFailure.value === undefined ? null : (
    <main class="page no-project">
      <Failed failure={sessionFailure.value}>
        <button type="button" onClick={() => void loadSession()}>
          Try again
        </button>
      </Failed>
    </main>
  );

const NoProject = () => (
  <main class="page no-project">
    <Empty icon="topics" title="You are not a member of any project yet">
      <p>
        The operator of the server adds you with <code>backstory team member add</code>.
      </p>
      <button type="button" onClick={signOut}>
        Sign out
      </button>
    </Empty>
  </main>
);
