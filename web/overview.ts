import { computed, effect, signal } from '@preact/signals';
import type { ProjectName } from '../src/wire/answers/fields.ts';
import type { Overview } from '../src/wire/answers/project.ts';
import { api } from './api.ts';
import { memoryChanges } from './live.ts';
import { chosenProject } from './project.ts';

/** Shown in the frame around every page: the project and the number of notes to review. */
export const overview = signal<Overview | undefined>(undefined);
/**
 * Whether to show the buttons that approve or reject. The server enforces the permission itself. True until the server
 * has answered.
 */
export const mayApprove = computed(() => overview.value?.mayApprove !== false);
export const projects = signal<ProjectName[]>([]);

export function followOverview(): void {
  effect(() => {
    memoryChanges.value;
    chosenProject.value;
    api.overview().then(
      (value) => {
        // The list changes with the first capture of a project.
        if (value.project?.id !== overview.value?.project?.id) listProjects();
        overview.value = value;
      },
      // Ignore the error: the page below shows it, and the frame does not repeat it.
      () => {},
    );
  });
}

const listProjects = (): void => {
  api.projects().then(
    (value) => {
      const { items } = value;
      // Clones without a shared remote are projects of the same name, so their folder tells them apart.
      projects.value = items.map(({ id, name, paths }) => ({
        id,
        name: items.filter((other) => other.name === name).length > 1 ? `${name} in ${paths[0]}` : name,
      }));
    },
    () => {},
  );
};
