import { computed, signal } from '@preact/signals';
import type { Me, TeamProject } from '../../src/wire/answers/team.ts';
import { chooseProject, chosenProject } from '../project.ts';

/** The signed-in person; undefined while the session is loading. */
export const me = signal<Me | 'nobody' | undefined>(undefined);
/** Address for signing in with an account; empty if the server has no sign-in provider. */
export const signInAt = signal('');
export const projects = signal<TeamProject[]>([]);

export const project = computed(() => projects.value.find(({ id }) => id === chosenProject.value));

/** Whether to show buttons that change a project. The server enforces the permission. */
export const mayChangeIn = (wanted: string): boolean =>
  me.value !== undefined &&
  me.value !== 'nobody' &&
  me.value.kind === 'user' &&
  me.value.scopes.includes('write') &&
  (projects.value.find(({ id }) => id === wanted)?.role ?? 'reader') !== 'reader';

const storageKey = 'backstory.team-project';

/** Remembers the project for the next tab. */
export const rememberProject = (id: string): void => localStorage.setItem(storageKey, id);

/** Chooses the project used last, if the person is still a member, or else the first. */
export function signedIn(who: Me, own: TeamProject[]): void {
  projects.value = own;
  const isOwn = (wanted: string | null) => own.find(({ id }) => id === wanted)?.id;
  chooseProject(isOwn(chosenProject.value) ?? isOwn(localStorage.getItem(storageKey)) ?? own[0]?.id ?? '');
  me.value = who;
}

export function signedOut(): void {
  me.value = 'nobody';
  projects.value = [];
}
