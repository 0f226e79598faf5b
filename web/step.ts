/**
 * A step in the browser's history, and what it keeps: who comes back from a note finds the results, the row and the
 * place on the page as they were left. A browser does that only for pages that are there at once.
 */
interface Step {
  name: string;
  scroll: number;
  kept: Map<string, unknown>;
}

const steps = new Map<string, Step>();
let step = stepOf(history.state);
/** Until the page has come and stands where it was: what it is scrolled to meanwhile is nobody's wish. */
let isComing = false;
let stopRestoring = (): void => {};

history.scrollRestoration = 'manual';
addEventListener('scroll', () => {
  if (!isComing) step.scroll = scrollY;
});
// A reload begins anew, but for the place on the page.
addEventListener('pagehide', () => history.replaceState({ ...history.state, scroll: step.scroll }, ''));

function stepOf(state: { step?: string; scroll?: number } | null): Step {
  const known = steps.get(state?.step ?? '');
  if (known !== undefined) return known;
  // Not `crypto.randomUUID`, which a page has only over HTTPS or from this machine.
  const name = `${Date.now()}-${steps.size}`;
  const made: Step = { name, scroll: state?.scroll ?? 0, kept: new Map() };
  steps.set(name, made);
  history.replaceState({ step: name }, '');
  return made;
}

/** Another step is the one that is shown: a new one, or one that was left before. */
export function enterStep(): void {
  stopRestoring();
  step = stepOf(history.state);
  isComing = true;
}

export const stepName = (): string => step.name;

/** Whether one was here before, and where. */
export const isReturn = (): boolean => step.scroll > 0;

/** What this step keeps under a name. */
export const kept = <T>(name: string): T | undefined => step.kept.get(name) as T | undefined;

/** To be asked for by what is shown in this step: it may still say something when the next is there already. */
export function keeper(name: string): (value: unknown) => void {
  const own = step;
  return (value) => own.kept.set(name, value);
}

const longestMs = 5_000;

/** Back to where one was, as soon as the page is long enough again; whoever moves it meanwhile has the say. */
export function restoreScroll(): void {
  stopRestoring();
  const top = step.scroll;
  isComing = true;
  const end = new AbortController();
  const grown = new ResizeObserver(() => {
    scrollTo(0, top);
    if (Math.abs(scrollY - top) <= 1) stopRestoring();
  });
  const timer = setTimeout(() => stopRestoring(), longestMs);
  stopRestoring = () => {
    grown.disconnect();
    clearTimeout(timer);
    end.abort();
    isComing = false;
    stopRestoring = () => {};
  };
  for (const touch of ['wheel', 'pointerdown', 'keydown'])
    addEventListener(touch, () => stopRestoring(), { passive: true, signal: end.signal });
  grown.observe(document.body);
}
