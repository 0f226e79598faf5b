import { useLayoutEffect, useRef } from 'preact/hooks';

/** What keys do: of the whole application, and of the page that is shown. The page's come first. */
export type Bindings = Record<string, () => void>;

const layers: { current: Bindings }[] = [];
const sequenceMs = 1_200;
let begun: { key: string; at: number } | undefined;

export function listenForKeys(): void {
  addEventListener('keydown', (event) => {
    const pressed = nameOf(event);
    const inText = isTyping(event.target);
    // While a dialog is open its own keys hold, and those of the page behind it do not.
    if (document.querySelector('dialog[open]') !== null && !pressed.startsWith('mod+')) return;
    if (inText && !pressed.startsWith('mod+')) return;
    // What has the focus is what Enter is for.
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

/** For as long as the component is shown. */
export function useKeys(bindings: Bindings): void {
  const layer = useRef(bindings);
  layer.current = bindings;
  // At once and not after the next paint: who sees a page may press its keys.
  useLayoutEffect(() => {
    layers.push(layer);
    return () => {
      layers.splice(layers.indexOf(layer), 1);
    };
  }, []);
}
