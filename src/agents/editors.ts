import { join } from 'node:path';
import type { AgentName } from '../domain/event.ts';
import {
  addHooks,
  containersIn,
  type HookEvent,
  type HookShape,
  hasHooks,
  removeHooks,
} from './hook-groups.ts';
import { addPlugin, hasPlugin, notOurs, removePlugin } from './plugin-file.ts';
import { addServer, hasServer, removeServer } from './server-entry.ts';
import type { Entries, SettingsEditor } from './setup.ts';

/** The name of Backstory's MCP server in the settings of every agent. */
export const serverName = 'backstory';

/** Adds hooks to JSON settings. */
export const hooksEditor =
  (events: HookEvent[], shape: HookShape) =>
  ({ hookCommand }: Entries): SettingsEditor => ({
    add: (text, file) => addHooks(text, file, hookCommand, events, shape),
    remove: (text, file, kept) => removeHooks(text, file, hookCommand, kept),
    has: (text, file) => hasHooks(text, file, hookCommand, events),
    containers: containersIn,
  });

/** Adds the MCP server to JSON settings: `map` is the key of the object that lists the servers. */
export const serverEditor =
  (map: string, value: (server: Entries['server']) => object) =>
  ({ server }: Entries): SettingsEditor => {
    const path: [string, string] = [map, serverName];
    return {
      add: (text, file) => addServer(text, file, path, value(server)),
      remove: (text, file, kept) => removeServer(text, file, path, kept),
      has: (text, file) => hasServer(text, file, path),
      containers: containersIn,
    };
  };

/** Writes a plugin; `source` is its path in the folder `plugins` of the package. */
export const pluginEditor =
  (agent: AgentName, source: string) =>
  ({ plugins, hook, recall }: Entries): SettingsEditor => {
    const constants = { hook, recall, agent };
    const path = join(plugins, source);
    return {
      add: (text, file) => addPlugin(text, file, path, constants),
      remove: removePlugin,
      has: (text) => hasPlugin(text, path, constants),
      containers: () => [],
    };
  };

const scriptMark = '# Backstory: ';

/** Writes a shell script that starts the hook, for agents that run a file for each event. */
export function scriptEditor({ hookCommand }: Entries): SettingsEditor {
  const ours = `#!/bin/sh\n${scriptMark}\`backstory install\` wrote this file, \`backstory uninstall\` removes it.\nexec ${hookCommand}\n`;
  const isOurs = (text: string): boolean => text.includes(`\n${scriptMark}`);
  return {
    add(text, file) {
      if (text !== '' && !isOurs(text)) throw notOurs(file);
      return { text: ours, undo: [{ offset: 0, length: ours.length, content: '' }] };
    },
    // Removes the whole file, even if the user changed it.
    remove: (text) => ({ text: isOurs(text) ? '' : text, undo: [] }),
    has: (text) => text === ours,
    containers: () => [],
  };
}
