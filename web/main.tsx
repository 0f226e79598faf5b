import { render } from 'preact';
import { App } from './app.tsx';
import { listenForKeys } from './keys.ts';
import { followLive } from './live.ts';
import { followOverview } from './overview.ts';
import { followTheme } from './theme.ts';

/**
 * The viewer: what did my agents do, what do they know, is it still true? Everything it shows comes from the
 * local HTTP API, and every word of it that came from memory is data: it is put on the page as text nodes only.
 */
followTheme();
listenForKeys();
followLive((project) => `/api/live${project === '' ? '' : `?project=${encodeURIComponent(project)}`}`);
followOverview();
render(<App />, document.getElementById('app') as HTMLElement);
