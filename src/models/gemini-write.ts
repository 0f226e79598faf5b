import { join } from 'node:path';
import { replaceFile, writeJson } from '../base/files.ts';
import { record, text, whole } from '../base/json.ts';
import { type ProgramRunner, runForObject } from './run-program.ts';
import type { Writer } from './write.ts';

/** System settings, which override the user's: no tools, MCP servers or hooks. */
const isolatedSettings = {
  tools: { core: ['none'] },
  mcp: { allowed: ['none'] },
  hooksConfig: { enabled: false },
  security: { folderTrust: { enabled: false } },
};

/** The default model. Gemini CLI gets it as an option, because without one it first calls another model to choose. */
const smallModel = 'flash';

/** The user's own Gemini CLI with their login. Gemini CLI keeps its own record under `~/.gemini/tmp`. */
export function connectGemini(
  runner: ProgramRunner,
  { program, model }: { program: string; model: string },
): Writer {
  return {
    provider: 'gemini',
    model: model || smallModel,
    async write({ instructions, data, maxTokens }, signal) {
      const settings = join(runner.folder, 'gemini-settings.json');
      const system = join(runner.folder, 'gemini-system.md');
      writeJson(settings, isolatedSettings);
      replaceFile(system, instructions);
      const args = [
        ...['--output-format', 'json', '--extensions', 'none'],
        ...['--model', model || smallModel],
      ];
      const env = {
        GEMINI_CLI_SYSTEM_SETTINGS_PATH: settings,
        GEMINI_SYSTEM_MD: system,
        // The program runs in Backstory's own empty folder, so it is safe to trust it.
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
      };
      const call = { name: 'Gemini CLI', program, args, input: data, env, maxTokens };
      const answer = await runForObject(runner, call, signal);
      const used = Object.values(record(record(answer.stats).models)).map((each) =>
        record(record(each).tokens),
      );
      const sum = (...names: string[]): number =>
        used.reduce((total, tokens) => total + names.reduce((all, one) => all + whole(tokens[one]), 0), 0);
      return {
        text: text(answer.response),
        claimed: { inputTokens: sum('prompt'), outputTokens: sum('candidates', 'thoughts') },
      };
    },
  };
}
