import { signal } from '@preact/signals';

const storageKey = 'backstory.project';

/** A link from an editor names its project. */
const linked = new URLSearchParams(location.hash.split('?', 2)[1]).get('project');
if (linked !== null) sessionStorage.setItem(storageKey, linked);

/** Id of the displayed project, kept for this tab. Empty for the project the server was started in. */
export const chosenProject = signal(sessionStorage.getItem(storageKey) ?? '');

export function chooseProject(id: string): void {
  sessionStorage.setItem(storageKey, id);
  chosenProject.value = id;
}
