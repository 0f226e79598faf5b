/**
 * Opens a connection for each `fetch`. A test often waits for another program without returning to the event loop, and
 * then does not notice that the server has closed an idle connection, which the next request would use.
 */
const { fetch } = globalThis;

globalThis.fetch = (input, init = {}) => {
  const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined));
  headers.set('connection', 'close');
  return fetch(input, { ...init, headers });
};
