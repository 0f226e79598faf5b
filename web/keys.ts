import { useLayoutEffect, useRef } from 'preact/hooks';

/** Keyboard shortcuts. Those of the current page take precedence over those of the whole application. */
export type Bindings = Record<string, () => void>;

const layers: { current: Bindings }[] = [];
const sequenceMs = 1_200;
let begun: { key: string; at: number } | undefined;

export function listenForKeys(): void {
  addEventListener('keydown', (event) => {
    const pressed = nameOf(event);
    const inText = isTyping(event.target);
    // An open dialog handles its own keys; the page behind it gets none.
    if (document.querySelector('dialog[open]') !== null && !pressed.startsWith('mod+')) return;
    if (inText && !pressed.startsWith('mod+')) return;
    // Enter activates the focused link or button.
    if (pressed === 'Enter' && isPressable(event.target)) return;
    const sequence =
      begun !== undefined && event.timeStamp - begun.at < sequenceMs ? `${begun.key} ${pressed}` : undefined;
    begun = undefined;
    const action = (sequence === undefined ? undefined : find(sequence)) ?? find(pressed);
    if (action !== undefined) {
      event.preventDefault();
      action();
    } else if (pressed === 'g') {
      begun = { key: pressed, at: event.timeStamp };
    }
  });
}

function nameOf({ key, metaKey, ctrlKey, altKey }: KeyboardEvent): string {
  if (altKey) return `alt+${key.toLowerCase()}`;
  return metaKey || ctrlKey ? `mod+${key.toLowerCase()}` : key;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    (/^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) &&
      !(target instanceof HTMLInputElement && target.type === 'checkbox')));

const isPressable = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && /^(?:A|BUTTON|SUMMARY)$/.test(target.tagName);

const find = (key: string): (() => void) | undefined =>
  layers.findLast(({ current }) => Object.hasOwn(current, key))?.current[key];

/** Registers shortcuts while the component is mounted. */
export function useKeys(bindings: Bindings): void {
  const layer = useRef(bindings);
  layer.current = bindings;
  // A layout effect, so that the shortcuts work as soon as the page is visible.
  useLayoutEffect(() => {
    layers.push(layer);
    return () => {
      layers.splice(layers.indexOf(layer), 1);
    };
  }, []);
}
