import { effect, signal } from '@preact/signals';

const storageKey = 'backstory.theme';
const themes = ['system', 'light', 'dark'] as const;

/** The chosen colours. The style sheet follows the system unless one of the others is chosen. */
export const theme = signal(themes.find((each) => each === localStorage.getItem(storageKey)) ?? 'system');

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});

export function nextTheme(): void {
  theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? 'system';
  localStorage.setItem(storageKey, theme.value);
}
