/**
 * Entry of the local viewer. Everything it shows comes from the local HTTP API. Text from memory is untrusted and is
 * put on the page only as text nodes.
 */

import { render } from 'preact';
import { App } from './app.tsx';
import { listenForKeys } from './keys.ts';
import { followLive } from './live.ts';
import { followOverview } from './overview.ts';

listenForKeys();
followLive((project) => `/api/v1/live${project === '' ? '' : `?project=${encodeURIComponent(project)}`}`);
followOverview();
render(<App />, document.getElementById('app') as HTMLElement);
