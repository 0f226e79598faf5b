import { signal } from '@preact/signals';
import { type ApiFailure, failureOf } from '../failure.ts';
import { teamApi } from './api.ts';
import { signedIn, signedOut, signInAt } from './signed-in.ts';

/** Why nobody knows yet who looks. */
export const notEntered = signal<ApiFailure | undefined>(undefined);

/** Finds out who looks, as the page opens. Only a server that says so sends anybody to the door. */
export async function enter(): Promise<void> {
  try {
    const session = await teamApi.session();
    signInAt.value = session.signInAt ?? '';
    if (session.signedIn) signedIn(await teamApi.me(), await teamApi.projects());
    else signedOut();
  } catch (error) {
    notEntered.value = failureOf(error);
  }
}
