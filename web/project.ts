import { signal } from '@preact/signals';

const storageKey = 'backstory.project';

/** The id of the project that is looked at; empty for the one the server was started in. Lasts as long as the tab. */
export const chosenProject = signal(sessionStorage.getItem(storageKey) ?? '');

export function chooseProject(id: string): void {
  sessionStorage.setItem(storageKey, id);
  chosenProject.value = id;
}
