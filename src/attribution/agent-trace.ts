import { hashId } from '../base/hash.ts';
import { isObject } from '../base/json.ts';
import { recordOf } from '../git/authorship-log.ts';
import type { CommitAttribution } from './attribute-commits.ts';

/** A record of Agent Trace 0.1.0: who wrote which lines of a commit. */
export const agentTraceOf = ({ commit, log }: CommitAttribution, version: string) => ({
  version: '0.1.0',
  id: uuidOf(commit.hash),
  timestamp: new Date(commit.at).toISOString(),
  vcs: { type: 'git', revision: commit.hash },
  tool: { name: 'backstory', version },
  files: [...log.files].map(([path, attestations]) => ({
    path,
    conversations: attestations.map(({ key, ranges }) => {
      const agent = recordOf(log, key)?.agent_id;
      const model = isObject(agent) ? modelId(agent.model) : undefined;
      return {
        contributor: key.startsWith('h_')
          ? { type: 'human' }
          : { type: 'ai', ...(model === undefined ? {} : { model_id: model }) },
        ranges: ranges.map(({ from, to }) => ({ start_line: from, end_line: to })),
      };
    }),
  })),
});

/** The same id for the same commit, in the form of a version 8 UUID. */
const uuidOf = (commit: string): string =>
  hashId('agent-trace', commit).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-8$3-8$4-$5');

const providers: [provider: string, model: RegExp][] = [
  ['anthropic', /^claude-/],
  ['openai', /^(?:gpt-|o\d|codex-)/],
  ['google', /^gemini-/],
];

/** Agent Trace names models as `provider/model`. A model whose provider is not known is left out. */
function modelId(model: unknown): string | undefined {
  if (typeof model !== 'string' || model.length > 200) return undefined;
  if (/^[\w.-]+\/[\w.:/-]+$/.test(model)) return model;
  const provider = providers.find(([, pattern]) => pattern.test(model))?.[0];
  return provider && `${provider}/${model}`;
}
