import { record } from '../base/json.ts';
import { objectAt } from './hook-groups.ts';
import { type EditedText, parseSettings, removeValue, setValue } from './json-edit.ts';

/** The path of one MCP server in JSON settings: the key of the object that lists servers, then the server's name. */
type ServerPath = [map: string, name: string];

export const addServer = (text: string, file: string, path: ServerPath, server: object): EditedText => {
  objectAt(parseSettings(text, file), path[0], file);
  return setValue({ text, undo: [] }, path, server);
};

export function removeServer(text: string, file: string, path: ServerPath, kept: string[]): EditedText {
  const [map, name] = path;
  const servers = record(parseSettings(text, file)[map]);
  const edited: EditedText = { text, undo: [] };
  if (!(name in servers)) return edited;
  return Object.keys(servers).length === 1 && !kept.includes(map)
    ? removeValue(edited, [map])
    : removeValue(edited, path);
}

export const hasServer = (text: string, file: string, [map, name]: ServerPath): boolean =>
  name in record(parseSettings(text, file)[map]);
