import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Frame, type FrameProps } from './frame.tsx';
import { useKeys } from './keys.ts';
import { HelpDialog, openHelp, type PageKeys } from './parts/help.tsx';
import { openPalette, Palette, type PaletteProps } from './parts/palette.tsx';
import { Empty } from './parts/states.tsx';
import { Toast } from './parts/toast.tsx';
import { go, linkTo, route } from './router.ts';
import { restoreScroll } from './step.ts';
import { nextTheme } from './theme.ts';

export interface ShellProps extends PaletteProps, Omit<FrameProps, 'here'> {
  pages: Record<string, ComponentType>;
  /** The section of each page that has no entry in the navigation. */
  within: Record<string, string>;
  /** Shortcuts of a page, for the help dialog. */
  keys: PageKeys;
  children?: ComponentChildren;
}

/** The frame, the current page, and the dialogs and toasts above them. */
export function Shell({ pages, sections, within, keys, ask, linkOf, jump, ...frame }: ShellProps) {
  useKeys({
    '/': openPalette,
    'mod+k': openPalette,
    '?': openHelp,
    d: nextTheme,
    ...Object.fromEntries(sections.map(({ letter, page }) => [`g ${letter}`, () => go(linkTo(page))])),
  });
  const name = route.value.page || (sections[0]?.page ?? '');
  const here = within[name] ?? name;
  return (
    <>
      <button type="button" class="skip" onClick={() => document.querySelector('main')?.focus()}>
        Skip to content
      </button>
      <Frame sections={sections} here={here} {...frame} />
      <Page name={name} pages={pages} title={sections.find(({ page }) => page === name)?.name ?? 'Memory'} />
      <Toast />
      <Palette sections={sections} ask={ask} linkOf={linkOf} {...(jump && { jump })} />
      <HelpDialog sections={sections} more={keys} />
    </>
  );
}

function Page({ name, title, pages }: Pick<ShellProps, 'pages'> & { name: string; title: string }) {
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  const { step } = route.value;
  useEffect(() => {
    document.title = `${title} · Backstory`;
    restoreScroll();
    // Move the focus so that a screen reader announces the new page. The browser announces the first page itself.
    if (!isFirst.current && document.activeElement === document.body)
      main.current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [step]);
  const Body = Object.hasOwn(pages, name) ? pages[name] : undefined;
  return (
    <main id="main" class={`page page-${name}`} ref={main} tabIndex={-1}>
      {Body === undefined ? (
        <>
          <h1 class="unseen">Page not found</h1>
          <Empty icon="search" title="This page does not exist">
            <a class="button" href={linkTo('')}>
              Go to the start page
            </a>
          </Empty>
        </>
      ) : (
        <Body key={step} />
      )}
    </main>
  );
}
