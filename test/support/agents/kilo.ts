import { text, tool } from '../fake-model.ts';
import { type AgentDriver, agentCommand, installedProgram, missingProgram, userFile } from './driver.ts';

const program = installedProgram('kilo-7.7.9', 'node_modules/@kilocode/cli-linux-x64/bin/kilo');

export const kilo: AgentDriver = {
  agent: 'kilo',
  title: 'Kilo 7.7.9',
  missing: missingProgram('Kilo 7.7.9', program),
  api: 'openai',
  settings: ['.config/kilo/kilo.jsonc', '.config/kilo/plugins/backstory.js'],
  configure(sandbox, model) {
    const fake = { name: 'Fake', tool_call: true, limit: { context: 100_000, output: 4_000 } };
    const settings = {
      autoupdate: false,
      share: 'disabled',
      model: 'fake/fake-model',
      small_model: 'fake/fake-model',
      // The others are asked for their models over the network.
      enabled_providers: ['fake'],
      provider: {
        fake: {
          npm: '@ai-sdk/openai-compatible',
          name: 'Fake',
          options: { baseURL: `http://127.0.0.1:${model.port}/v1`, apiKey: 'x' },
          models: { 'fake-model': fake },
        },
      },
      permission: { bash: 'allow', edit: 'allow' },
    };
    userFile(sandbox, '.config/kilo/kilo.jsonc', `// mine\n${JSON.stringify(settings, null, 2)}\n`);
  },
  command: (_sandbox, _model, prompt) =>
    agentCommand(program, ['run', '--format', 'json', prompt], {
      KILO_DISABLE_AUTOUPDATE: '1',
      KILO_DISABLE_MODELS_FETCH: '1',
      KILO_DISABLE_DEFAULT_PLUGINS: '1',
      KILO_DISABLE_LSP_DOWNLOAD: '1',
      KILO_DISABLE_CODEBASE_INDEXING: '1',
      KILO_DISABLE_SESSION_INGEST: '1',
      KILO_DISABLE_PRESENCE: '1',
      KILO_TELEMETRY_LEVEL: 'off',
    }),
  steps: {
    read: (path) => [tool('read', { filePath: path })],
    replace: (path, before, after) => [tool('edit', { filePath: path, oldString: before, newString: after })],
    write: (path, content) => [tool('write', { filePath: path, content })],
    command: (command) => [tool('bash', { command, description: 'run it' })],
    recall: (query) => [tool('backstory_recall', { query })],
    answer: (words) => [text(words)],
  },
  prelude: 'at once',
};
