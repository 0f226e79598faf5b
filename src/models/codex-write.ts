import { join } from 'node:path';
import { parse } from 'smol-toml';
import { readIfThere, replaceFile } from '../base/files.ts';
import { type Json, parseObject, record, text, whole } from '../base/json.ts';
import { type ProgramRunner, runProgram } from './run-program.ts';
import type { Writer } from './write.ts';

/** Features of Codex that are not needed here. Each must be switched off by its own name. */
const features = [
  'apps',
  'goals',
  'hooks',
  'image_generation',
  'multi_agent',
  'plugins',
  'shell_snapshot',
  'shell_tool',
  'skill_search',
  'sleep_tool',
  'tool_suggest',
  'unified_exec',
  'view_image',
];

/**
 * The user's own Codex with their login and provider. It runs in a read-only sandbox without tools that could read a
 * file or run a command, without hooks and MCP servers, and stores no session.
 */
export function connectCodex(
  runner: ProgramRunner,
  { program, model, codexFolder }: { program: string; model: string; codexFolder: string },
): Writer {
  return {
    provider: 'codex',
    model,
    async write({ instructions, data, maxTokens }, signal) {
      const file = join(runner.folder, 'codex-instructions.md');
      replaceFile(file, instructions);
      const settings = {
        model_instructions_file: JSON.stringify(file),
        web_search: '"disabled"',
        notify: '[]',
        project_doc_max_bytes: '0',
        include_permissions_instructions: 'false',
        include_environment_context: 'false',
        'skills.include_instructions': 'false',
        ...Object.fromEntries(features.map((name) => [`features.${name}`, 'false'])),
        ...Object.fromEntries(
          serversIn(join(codexFolder, 'config.toml')).map((name) => [`mcp_servers.${name}.enabled`, 'false']),
        ),
      };
      const args = [
        'exec',
        ...['--json', '--ephemeral', '--skip-git-repo-check', '--ignore-rules', '--sandbox', 'read-only'],
        ...(model === '' ? [] : ['--model', model]),
        ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
        '-',
      ];
      const call = { name: 'Codex', program, args, input: data, maxTokens };
      const printed = await runProgram(runner, call, signal);
      const events = printed.split('\n').map((line) => parseObject(line) ?? {});
      const usage = record(events.findLast(({ type }) => type === 'turn.completed')?.usage);
      return {
        text: events.flatMap(messageIn).join('\n'),
        claimed: { inputTokens: whole(usage.input_tokens), outputTokens: whole(usage.output_tokens) },
      };
    },
  };
}

function messageIn({ type, item }: Json): string[] {
  const message = record(item);
  return type === 'item.completed' && message.type === 'agent_message' ? [text(message.text)] : [];
}

/** Names of the configured MCP servers, which Codex can disable only one by one. Names that need quoting are skipped. */
function serversIn(path: string): string[] {
  try {
    const servers = record(parse(readIfThere(path) ?? '').mcp_servers);
    return Object.keys(servers).filter((name) => /^[\w-]+$/.test(name));
  } catch {
    // Codex itself reports an invalid configuration.
    return [];
  }
}
