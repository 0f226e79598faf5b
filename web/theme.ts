import { signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

const storageKey = 'backstory.theme';
const themes: Theme[] = ['system', 'light', 'dark'];

const stored = (): Theme => {
  const value = localStorage.getItem(storageKey);
  return themes.find((theme) => theme === value) ?? 'system';
};

export const theme = signal<Theme>('system');

const systemIsDark = () => matchMedia('(prefers-color-scheme: dark)');

export function followTheme(): void {
  theme.value = stored();
  apply();
  systemIsDark().addEventListener('change', apply);
}

export function nextTheme(): void {
  const next = themes[(themes.indexOf(theme.value) + 1) % themes.length] as Theme;
  theme.value = next;
  localStorage.setItem(storageKey, next);
  apply();
}

function apply(): void {
  const dark = theme.value === 'dark' || (theme.value === 'system' && systemIsDark().matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
}
