import { signal } from '@preact/signals';
import { type ApiFailure, failureOf } from '../failure.ts';
import { teamApi } from './api.ts';
import { signedIn, signedOut, signInAt } from './signed-in.ts';

/** Why the session could not be loaded. */
export const sessionFailure = signal<ApiFailure | undefined>(undefined);

/** Loads the session when the page opens. Shows the sign-in page only if the server says that nobody is signed in. */
export async function loadSession(): Promise<void> {
  try {
    const session = await teamApi.session();
    signInAt.value = session.signInAt ?? '';
    if (session.signedIn) signedIn(await teamApi.me(), await teamApi.projects());
    else signedOut();
  } catch (error) {
    sessionFailure.value = failureOf(error);
  }
}
