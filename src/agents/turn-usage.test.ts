import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import type { AgentName } from '../domain/event.ts';
import { sumUsage } from '../domain/usage.ts';
import { listAgentSessions, readAgentSession } from '../memory/sessions/agent-sessions.ts';
import type { Observation } from './agent.ts';
import { transcriptSources } from './transcripts.ts';

const fixtures = resolve(import.meta.dirname, '../../test/fixtures/agents');

function usageIn(agent: AgentName, file: string, from = { offset: 0, turn: '' }) {
  const steps = transcriptSources[agent]?.read(file, file, from, (words) => words) ?? [];
  return [...steps].flatMap(({ observations }) => observations.filter(isUsage));
}
const isUsage = (each: Observation): each is Extract<Observation, { kind: 'usage' }> => each.kind === 'usage';
const summed = (uses: ReturnType<typeof usageIn>) =>
  sumUsage(
    uses.map(({ body: { turn = '', subagent, model, used } }) => ({
      ...used,
      turn,
      subagent: subagent?.id ?? '',
      model,
    })),
  );

describe('usage of a turn', () => {
  const codex = 'codex-0.166.0/auto-compact/sessions/rollout-2026-11-14T23-09-26';
  const chats = 'chats/be998757-059a-48ba-be5c-7ad62ab357ab.jsonl';
  it.each<[AgentName, string, string, number[]]>([
    ['codex', `${codex}-01a1dc52-a719-7fa1-9f08-ef07158017f9.jsonl`, 'gpt-5.5', [269_970, 60, 30]],
    [
      'pi',
      'pi-1.5.0/2026-11-15T05-16-14-951Z_01a1dda2-784d-7088-b92a-88bae3dea7b1.jsonl',
      'fake-model',
      [800, 160, 0],
    ],
    [
      'gemini',
      'gemini-0.61.0/home/.gemini/tmp/repo/chats/session-2026-11-16T15-44-9d1e07bb.jsonl',
      'gemini-2.5-flash',
      [500, 100, 0],
    ],
    ['qwen', `qwen-0.24.4/home/.qwen/projects/-sandbox-proj/${chats}`, 'fake-model', [600, 120, 0]],
    [
      'copilot',
      'copilot-1.0.102/home/.copilot/session-state/ff45f349-50f1-45ed-8833-eba68b9ac71a/events.jsonl',
      'claude-sonnet-4.5',
      [500, 100, 0],
    ],
    [
      'droid',
      'droid-0.215.0/home/.factory/sessions/-sandbox-proj/6ced0720-01f9-4901-b675-cc264b948d44.jsonl',
      'custom:Fake-0',
      [0, 0, 0],
    ],
    [
      'grok',
      'grok-1.0.41/home/.grok/sessions/%2Fsandbox%2Fproj/01a1e526-adbc-7331-97f4-47d42bf7640d/updates.jsonl',
      'fake-model',
      [500, 100, 0],
    ],
    [
      'cline',
      'cline-3.0.65/home/.cline/data/sessions/1794847156352_hwkr3/1794847156352_hwkr3.messages.json',
      'fake-model',
      [600, 120, 0],
    ],
  ])('names the model and counts each answer of %s once', (agent, file, model, tokens) => {
    const { models, input, output, cacheRead } = summed(usageIn(agent, join(fixtures, file))) ?? {};
    expect({ models, tokens: [input, output, cacheRead] }).toEqual({ models: [model], tokens });
  });

  const line = (id: string, promptId: string, output: number, more: object = {}) => ({
    type: 'assistant',
    uuid: `${id}-${output}`,
    promptId,
    sessionId: 'session-1',
    timestamp: '2026-11-10T10:00:00Z',
    message: {
      id,
      model: 'claude-opus-5',
      content: [],
      usage: { input_tokens: 10, output_tokens: output, cache_read_input_tokens: 100 },
      ...more,
    },
  });
  const top = mkdtempSync(join(tmpdir(), 'backstory-usage-'));
  afterAll(() => rmSync(top, { recursive: true }));
  const file = (): string => join(mkdtempSync(join(top, 'usage-')), 'projects', 'work', 'session-1.jsonl');
  const write = (path: string, lines: object[]): string => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, lines.map((each) => `${JSON.stringify(each)}\n`).join(''));
    return path;
  };

  it('counts the last of the records of an answer of Claude Code, and no message of the program itself', () => {
    const own = line('m3', 'p1', 500, { model: '<synthetic>' });
    const path = write(file(), [line('m1', 'p1', 1), line('m1', 'p1', 20), line('m2', 'p1', 5), own]);
    expect(summed(usageIn('claude-code', path))).toMatchObject({ input: 20, output: 25, cacheRead: 200 });
  });

  it('adds nothing for a turn that is read again, and replaces one that has grown', () => {
    const path = file();
    const some = [line('m1', 'p1', 20), line('m2', 'p2', 5)];
    const first = usageIn('claude-code', write(path, some));
    const again = usageIn('claude-code', path, { offset: 0, turn: 'p1' });
    expect(again.map(({ id }) => id)).toEqual(first.map(({ id }) => id));
    const grown = usageIn('claude-code', write(path, [...some, line('m3', 'p2', 7)]));
    expect(summed([...first, ...grown])).toMatchObject({ input: 30, output: 32 });
  });

  describe('of a session', () => {
    let memory: MemoryHome;
    beforeEach(() => {
      memory = createMemoryHome();
    });
    afterEach(() => memory.remove());

    it('is the sum of its turns and subagents, with the main model first', async () => {
      const folder = join(memory.home, '.claude', 'projects', 'work');
      const transcript = write(join(folder, 'session-1.jsonl'), [line('m1', 'p1', 20), line('m2', 'p2', 5)]);
      const small = { model: 'claude-haiku-5' };
      write(join(folder, 'session-1', 'subagents', 'agent-a1.jsonl'), [line('m4', 'p1', 900, small)]);
      const call = { session_id: 'session-1', transcript_path: transcript, cwd: memory.work };
      memory.hook({ ...call, hook_event_name: 'SessionStart', source: 'startup' });
      memory.hook({ ...call, hook_event_name: 'UserPromptSubmit', prompt: 'Add a test', prompt_id: 'p1' });
      await memory.drain();
      const { sessions } = await listAgentSessions(memory.open(), {}, 10);
      expect(sessions[0]?.usage).toEqual({
        models: ['claude-opus-5', 'claude-haiku-5'],
        input: 30,
        output: 925,
        cacheRead: 300,
        cacheWrite: 0,
      });
      const { turns } = await readAgentSession(memory.open(), 'session-1');
      expect(turns.map(({ id, usage }) => [id, usage?.output])).toContainEqual(['p1', 920]);
    });
  });
});
