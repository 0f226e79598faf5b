/** `backstory lsp`: the language server over stdio. Stdout carries only protocol messages. It ends with its editor. */

import { createConnection } from 'vscode-languageserver/node';
import { systemClock } from '../base/clock.ts';
import { viewerLink } from '../cli/ui.ts';
import { serveEditor } from '../lsp/server.ts';
import { notePartsOf } from '../memory/notes/note-parts.ts';
import { requireActive } from '../memory/projects/activation.ts';
import { resolvePlace } from '../memory/projects/projects.ts';
import { refreshPrelude } from '../memory/refresh-prelude.ts';
import type { RecallParts } from '../recall/with-index.ts';
import { checkedCode } from './checked-code.ts';
import { detectCaller } from './detect-caller.ts';
import { runningServer } from './running-server.ts';
import { startDetached } from './start-drain.ts';
import { wire } from './wiring.ts';

const wiring = wire();
const { paths, userHome } = wiring;

/** Finding the checkout of a folder may start git, which an editor would wait for at every hover. */
const maxPlaceAgeMs = 1_000;

function remembered<T>(make: (key: string) => T, maxAgeMs = Number.POSITIVE_INFINITY): (key: string) => T {
  const known = new Map<string, { at: number; value: T }>();
  return (key) => {
    const found = known.get(key);
    const now = systemClock.now();
    if (found !== undefined && now - found.at < maxAgeMs) return found.value;
    const value = make(key);
    known.set(key, { at: now, value });
    return value;
  };
}

/** A project whose index is read as it is. What is not indexed yet is read from the log. */
function readOnly(project: string): RecallParts {
  const { log, notes, access } = wiring.open(project);
  return { project, log, notes, access: { ...access, forWriting: () => undefined, discard: () => {} } };
}

serveEditor(createConnection(process.stdin, process.stdout), {
  version: wiring.version,
  clock: systemClock,
  place: remembered((folder) => {
    const { place } = resolvePlace(paths, folder, systemClock);
    return wiring.activation(place, folder).on ? place : undefined;
  }, maxPlaceAgeMs),
  memory: remembered(readOnly),
  // Capture is on for the place, so the device was recorded when Backstory was installed.
  code: remembered((root) => checkedCode(wiring, root)),
  caller: () => detectCaller(true),
  forWriting({ root }) {
    const { place, remember } = resolvePlace(paths, root, systemClock);
    requireActive(wiring.activation(place));
    remember();
    const project = wiring.open(place.project);
    return {
      notes: notePartsOf(project, wiring.context(place)),
      refresh: () => refreshPrelude(project),
    };
  },
  viewerLink: (place) =>
    viewerLink(
      {
        ...wiring,
        clock: systemClock,
        place: () => place,
        runningServer: () => runningServer(paths.home),
        startDetached: (program, args) => startDetached(program, args, userHome),
      },
      detectCaller(true).kind === 'person',
    ),
});
