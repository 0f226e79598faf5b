import { computed, effect, signal } from '@preact/signals';
import { api } from './api.ts';
import { memoryChanges } from './live.ts';
import { chosenProject } from './project.ts';
import type { Overview, Project } from './wire.ts';

/** What the frame around every page shows: which project this is, and how much waits for review. */
export const overview = signal<Overview | undefined>(undefined);
/** The server refuses in any case; until it has answered, nothing is hidden. */
export const mayApprove = computed(() => overview.value?.mayApprove !== false);
export const projects = signal<Project[]>([]);

export function followOverview(): void {
  api.projects().then(
    (value) => {
      projects.value = value.projects;
    },
    () => {},
  );
  effect(() => {
    memoryChanges.value;
    chosenProject.value;
    api.overview().then(
      (value) => {
        overview.value = value;
      },
      // The page itself says what is wrong; the frame around it has nothing to add.
      () => {},
    );
  });
}
