import { computed, signal } from '@preact/signals';
import { chooseProject, chosenProject } from '../project.ts';
import type { Me, TeamProject } from './wire.ts';

/** Who looks, and at what: undefined while that is being asked, 'nobody' at the door. */
export const me = signal<Me | 'nobody' | undefined>(undefined);
/** Where one signs in with an account; empty where one cannot. */
export const signInAt = signal('');
export const projects = signal<TeamProject[]>([]);

export const project = computed(() => projects.value.find(({ id }) => id === chosenProject.value));

/** What one may do here; the server has the last word on it. */
export const mayChangeIn = (wanted: string): boolean =>
  me.value !== undefined &&
  me.value !== 'nobody' &&
  me.value.kind === 'user' &&
  me.value.scopes.includes('write') &&
  (projects.value.find(({ id }) => id === wanted)?.role ?? 'reader') !== 'reader';

const storageKey = 'backstory.team-project';

/** For the next tab. */
export const rememberProject = (id: string): void => localStorage.setItem(storageKey, id);

/** The project that was looked at last, if it is still one's own; else the first. */
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
