import { ProjectPick } from '../frame.tsx';
import { GraphPage } from '../pages/graph.tsx';
import { Icon } from '../parts/icon.tsx';
import { Empty, Failed } from '../parts/states.tsx';
import { settled } from '../parts/toast.tsx';
import { chooseProject, chosenProject } from '../project.ts';
import { go, linkTo } from '../router.ts';
import { Shell } from '../shell.tsx';
import { teamApi } from './api.ts';
import { enter, notEntered } from './enter.ts';
import { MemoryPage } from './pages/memory.tsx';
import { TeamSearchPage } from './pages/search.tsx';
import { SignInPage } from './pages/sign-in.tsx';
import { StatsPage } from './pages/stats.tsx';
import { TeamTimelinePage } from './pages/timeline.tsx';
import { memoryLink } from './parts.tsx';
import { teamSections } from './sections.ts';
import { me, project, projects, rememberProject, signedOut } from './signed-in.ts';

const pages = {
  search: TeamSearchPage,
  note: MemoryPage,
  timeline: TeamTimelinePage,
  graph: () => <GraphPage load={teamApi.graph} />,
  stats: StatsPage,
};

const memoryKeys = {
  title: 'On a memory',
  rows: [
    ['x', 'Delete'],
    ['u', 'Undo'],
  ] as [string, string][],
};

export function TeamApp() {
  if (me.value === undefined) return <NotYet />;
  if (me.value === 'nobody') return <SignInPage />;
  if (projects.value.length === 0) return <NoProject />;
  return (
    <Shell
      pages={pages}
      sections={teamSections}
      within={{ note: 'search' }}
      keys={memoryKeys}
      ask={(words, limit) => teamApi.recall(words, { limit })}
      linkOf={memoryLink}
      place={project.value?.name ?? ''}
      awayWord="Not reached"
    >
      <div class="who">
        <ProjectPick projects={projects.value} chosen={chosenProject.value} onChoose={look} />
        <button type="button" class="quiet sign-out" aria-label="Sign out" onClick={leave}>
          <Icon name="leave" />
          <span>Sign out</span>
        </button>
      </div>
    </Shell>
  );
}

/** What stands open belongs to the project that is left. */
function look(id: string): void {
  rememberProject(id);
  chooseProject(id);
  go(linkTo('search'));
}

/** A cookie that is gone could not delete any more what was just said to be deleted. */
async function leave(): Promise<void> {
  if (!(await settled())) return;
  await teamApi.signOut().catch(() => undefined);
  signedOut();
}

/** Whoever is signed in is not sent to the door because the server is busy. */
const NotYet = () =>
  notEntered.value === undefined ? null : (
    <main class="page no-project">
      <Failed failure={notEntered.value}>
        <button type="button" onClick={() => void enter()}>
          Try again
        </button>
      </Failed>
    </main>
  );

const NoProject = () => (
  <main class="page no-project">
    <Empty icon="graph" title="You are in no project yet">
      <p>
        Whoever runs the server adds you to one: <code>backstory team member add</code>
      </p>
      <button type="button" onClick={leave}>
        Sign out
      </button>
    </Empty>
  </main>
);
