/**
 * One entry of the browser's history with the state kept for it. Going back from a note restores the results, the
 * selected row and the scroll position. The browser itself restores these only for pages that are complete when they
 * load.
 */
interface Step {
  name: string;
  scroll: number;
  kept: Map<string, unknown>;
}

const steps = new Map<string, Step>();
let step = stepOf(history.state);
/** True until the scroll position is restored; scroll events before that are not the user's. */
let isRestoring = false;
let stopRestoring = (): void => {};

history.scrollRestoration = 'manual';
addEventListener('scroll', () => {
  if (!isRestoring) step.scroll = scrollY;
});
// Save the scroll position when the page is left, because a reload keeps nothing else.
addEventListener('pagehide', () => history.replaceState({ ...history.state, scroll: step.scroll }, ''));

function stepOf(state: { step?: string; scroll?: number } | null): Step {
  const known = steps.get(state?.step ?? '');
  if (known !== undefined) return known;
  // A unique name. `crypto.randomUUID` cannot be used, because it exists only over HTTPS or on localhost.
  const name = `${Date.now()}-${steps.size}`;
  const made: Step = { name, scroll: state?.scroll ?? 0, kept: new Map() };
  steps.set(name, made);
  history.replaceState({ step: name }, '');
  return made;
}

/** Makes the current history entry the active step, new or visited before. */
export function enterStep(): void {
  stopRestoring();
  step = stepOf(history.state);
  isRestoring = true;
}

export const stepName = (): string => step.name;

/** True if the user has visited this history entry before and scrolled. */
export const isReturn = (): boolean => step.scroll > 0;

/** The value that this step keeps under a name. */
export const kept = <T>(name: string): T | undefined => step.kept.get(name) as T | undefined;

/**
 * Returns a function that stores a value in the current step, because a component may still write after the next step
 * has started.
 */
export function keeper(name: string): (value: unknown) => void {
  const own = step;
  return (value) => own.kept.set(name, value);
}

const maxRestoreMs = 5_000;

/** Restores the scroll position once the page is long enough. */
export function restoreScroll(): void {
  const top = step.scroll;
  const stop = whileGrowing(() => {
    scrollTo(0, top);
    if (Math.abs(scrollY - top) <= 1) stop();
  });
  setTimeout(stop, maxRestoreMs);
}

/**
 * Scrolls to an element and keeps it on the screen while parts of the page above it still load. One that is higher than
 * half of the screen is shown from its beginning. Returns a function that lets go of it.
 */
export function keepInView(find: () => Element | null | undefined): () => void {
  return whileGrowing(() => {
    const element = find();
    const isTall = (element?.clientHeight ?? 0) > innerHeight / 2;
    element?.scrollIntoView({ block: isTall ? 'start' : 'center' });
  });
}

/** Whether the scroll position is being restored, or an element kept in view. */
export const isHeld = (): boolean => isRestoring;

/** Scrolls at the next frame and whenever the page changes its height, until the user does something or opens another page. */
function whileGrowing(scroll: () => void): () => void {
  stopRestoring();
  isRestoring = true;
  const end = new AbortController();
  const grown = new ResizeObserver(scroll);
  const stop = (): void => {
    grown.disconnect();
    end.abort();
    if (stopRestoring === stop) isRestoring = false;
  };
  stopRestoring = stop;
  for (const touch of ['wheel', 'touchmove', 'pointerdown', 'keydown'])
    addEventListener(touch, stop, { passive: true, signal: end.signal });
  grown.observe(document.body);
  return stop;
}
