import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useKeys } from './keys.ts';
import { Nav } from './nav.tsx';
import { GraphPage } from './pages/graph.tsx';
import { HealthPage } from './pages/health.tsx';
import { NotePage } from './pages/note.tsx';
import { ReviewPage } from './pages/review.tsx';
import { SearchPage } from './pages/search.tsx';
import { SessionPage } from './pages/session.tsx';
import { SpendPage } from './pages/spend.tsx';
import { TimelinePage } from './pages/timeline.tsx';
import { HelpDialog, isHelpOpen } from './parts/help.tsx';
import { isPaletteOpen, Palette } from './parts/palette.tsx';
import { Empty } from './parts/states.tsx';
import { Toast } from './parts/toast.tsx';
import { go, linkTo, route } from './router.ts';
import { sections } from './sections.ts';
import { nextTheme } from './theme.ts';

const pages: Record<string, ComponentType> = {
  timeline: TimelinePage,
  session: SessionPage,
  search: SearchPage,
  note: NotePage,
  review: ReviewPage,
  graph: GraphPage,
  spend: SpendPage,
  health: HealthPage,
};

export function App() {
  useKeys({
    '/': () => openPalette(),
    'mod+k': () => openPalette(),
    '?': () => {
      isHelpOpen.value = true;
    },
    d: nextTheme,
    ...Object.fromEntries(sections.map(({ letter, page }) => [`g ${letter}`, () => go(linkTo(page))])),
  });
  return (
    <>
      <button type="button" class="skip" onClick={() => document.querySelector('main')?.focus()}>
        Skip to the content
      </button>
      <Nav />
      <Page />
      <Toast />
      <Palette />
      <HelpDialog />
    </>
  );
}

const openPalette = (): void => {
  isPaletteOpen.value = true;
};

function Page() {
  const { page: name, rest } = route.value;
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  const where = `${name}/${rest}`;
  useEffect(() => {
    document.title = `${sections.find(({ page }) => page === name)?.name ?? 'Memory'} · Backstory`;
    scrollTo(0, 0);
    // Who listens instead of looking hears where they are now; of the first view the browser tells them itself.
    if (!isFirst.current && document.activeElement === document.body)
      main.current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [where]);
  const Body = Object.hasOwn(pages, name) ? pages[name] : undefined;
  return (
    <main id="main" class={`page page-${name}`} ref={main} tabIndex={-1}>
      {Body === undefined ? (
        <Empty icon="search" title="There is no such page">
          <a class="button" href={linkTo('timeline')}>
            Go to the timeline
          </a>
        </Empty>
      ) : (
        <Body key={where} />
      )}
    </main>
  );
}
