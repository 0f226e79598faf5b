/** Entry of the team viewer. As in the local viewer, text from memory is untrusted and shown only as text nodes. */

import { render } from 'preact';
import { listenForKeys } from '../keys.ts';
import { followLive } from '../live.ts';
import { TeamApp } from './app.tsx';
import { loadSession } from './load-session.ts';
import { me } from './signed-in.ts';

listenForKeys();
followLive((project) =>
  project === '' || me.value === undefined || me.value === 'nobody' ? '' : `/api/projects/${project}/events`,
);
void loadSession();
render(<TeamApp />, document.getElementById('app') as HTMLElement);
