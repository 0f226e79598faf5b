import { record } from '../base/json.ts';
import {
  addHooks,
  containersIn,
  type HookEvent,
  type HookShape,
  hasHooks,
  objectAt,
  removeHooks,
} from './hook-groups.ts';
import { parseSettings, removeValue, setValue } from './json-edit.ts';
import { ownFileEditor } from './own-file.ts';
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
    const has = (text: string, file: string): boolean => serverName in record(parseSettings(text, file)[map]);
    return {
      add(text, file) {
        objectAt(parseSettings(text, file), map, file);
        return setValue({ text, undo: [] }, [map, serverName], value(server));
      },
      remove(text, file, kept) {
        const edited = { text, undo: [] };
        if (!has(text, file)) return edited;
        const isLast = Object.keys(record(parseSettings(text, file)[map])).length === 1;
        return removeValue(edited, isLast && !kept.includes(map) ? [map] : [map, serverName]);
      },
      has,
      containers: containersIn,
    };
  };

const scriptMark = '# Backstory: ';

/** Writes a shell script that starts the hook, for agents that run a file for each event. */
export const scriptEditor = ({ hookCommand }: Entries): SettingsEditor =>
  ownFileEditor(
    `\n${scriptMark}`,
    () =>
      `#!/bin/sh\n${scriptMark}\`backstory install\` wrote this file, \`backstory uninstall\` removes it.\nexec ${hookCommand}\n`,
  );
