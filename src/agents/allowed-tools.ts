import { list, record } from '../base/json.ts';
import { serverName } from './editors.ts';
import { objectAt, unexpectedFormat } from './hook-groups.ts';
import { appendValue, type EditedText, parseSettings, removeValue, setValue } from './json-edit.ts';
import type { Entries, SettingsEditor } from './setup.ts';

const code = 'search_content find_files context_pack search_path_and_content outline definition references';
/** Backstory's MCP tools that only read, by set. A test compares them with the reference, which the server makes. */
const readOnly: Record<string, string> = {
  core: 'recall get_notes why search_content find_files context_pack memo_check',
  memory: 'recall timeline get_notes why memo_check',
  code: `${code} index_status memo_check`,
  all: `recall timeline get_notes why rag_search forge_memory ${code} index_status memo_check memo_status memo_session session_status session_list session_snapshot_list session_snapshot_get session_snapshot_diff`,
};

export const readOnlyTools = (set: string): string[] => readOnly[set]?.split(' ') ?? [];

const ruleFor = (tool: string): string => `mcp__${serverName}__${tool}`;

/** Adds the tools to `permissions.allow`, the list of what Claude Code and Qwen Code may do without asking. */
export function allowedToolsEditor({ allow = [] }: Entries): SettingsEditor {
  const rules = allow.map(ruleFor);
  const allowedIn = (text: string, file: string): unknown[] =>
    list(record(parseSettings(text, file).permissions).allow);
  return {
    add(text, file) {
      const permissions = objectAt(parseSettings(text, file), 'permissions', file);
      if ('allow' in permissions && !Array.isArray(permissions.allow))
        throw unexpectedFormat(file, 'permissions.allow');
      const before = allowedIn(text, file);
      const missing = rules.filter((rule) => !before.includes(rule));
      const edited: EditedText = { text, undo: [] };
      if (missing.length === 0) return edited;
      if (!('allow' in permissions)) return setValue(edited, ['permissions', 'allow'], missing);
      return missing.reduce((all, rule) => appendValue(all, ['permissions', 'allow'], rule), edited);
    },
    remove(text, file, kept) {
      const isOurs = (rule: unknown) => rules.includes(String(rule)) && !kept.includes(String(rule));
      const before = allowedIn(text, file);
      const edited = [...before.entries()]
        .reverse()
        .filter(([, rule]) => isOurs(rule))
        .reduce<EditedText>((left, [at]) => removeValue(left, ['permissions', 'allow', at]), {
          text,
          undo: [],
        });
      if (!before.some(isOurs) || !before.every(isOurs) || kept.includes('permissions.allow')) return edited;
      const isAll = Object.keys(record(parseSettings(text, file).permissions)).length === 1;
      return removeValue(
        edited,
        isAll && !kept.includes('permissions') ? ['permissions'] : ['permissions', 'allow'],
      );
    },
    has: (text, file) => rules.every((rule) => allowedIn(text, file).includes(rule)),
    /** Also the rules that the user had already. */
    containers(text, file) {
      const settings = parseSettings(text, file);
      return [
        ...('permissions' in settings ? ['permissions'] : []),
        ...('allow' in record(settings.permissions) ? ['permissions.allow'] : []),
        ...rules.filter((rule) => allowedIn(text, file).includes(rule)),
      ];
    },
  };
}
