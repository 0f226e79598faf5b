import { signal } from '@preact/signals';

const storageKey = 'backstory.project';

/** Id of the displayed project, kept for this tab. Empty for the project the server was started in. */
export const chosenProject = signal(sessionStorage.getItem(storageKey) ?? '');

export function chooseProject(id: string): void {
  sessionStorage.setItem(storageKey, id);
  chosenProject.value = id;
}
