import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { record } from '../base/json.ts';
import type { AgentName } from '../domain/event.ts';
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
import { appendTable, parseToml, removeTable, tomlString } from './toml-edit.ts';

/** The name of Backstory's MCP server in the settings of every agent. */
export const serverName = 'backstory';

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

const tomlTable = `[mcp_servers.${serverName}]`;

/** Adds the MCP server to TOML settings, as Codex and Grok Build have them. */
export function tomlServerEditor({ server }: Entries): SettingsEditor {
  const has = (text: string, file: string) => serverName in record(parseToml(text, file).mcp_servers);
  return {
    add(text, file) {
      const edited = { text, undo: [] };
      const bare = has(text, file) ? removeTable(edited, tomlTable) : edited;
      const args = `[${server.args.map(tomlString).join(', ')}]`;
      return appendTable(bare, tomlTable, [`command = ${tomlString(server.command)}`, `args = ${args}`]);
    },
    remove(text, file) {
      parseToml(text, file);
      return removeTable({ text, undo: [] }, tomlTable);
    },
    has,
    containers: () => [],
  };
}

/**
 * Writes a plugin; `source` is its path in the folder `plugins` of the package. The commands that it starts, and its
 * agent, are constants of its source.
 */
export const pluginEditor =
  (agent: AgentName, source: string) =>
  ({ plugins, hook, recall }: Entries): SettingsEditor => {
    const constants = { hook, recall, agent };
    return ownFileEditor('// Backstory: ', () =>
      readFileSync(join(plugins, source), 'utf8').replace(
        /^const (hook|recall|agent)(:[^=]*)? = .*;$/gm,
        (_line, name: keyof typeof constants, type = '') =>
          `const ${name}${type} = ${JSON.stringify(constants[name])};`,
      ),
    );
  };
