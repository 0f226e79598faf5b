import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import type { Sandbox } from './sandbox.ts';

/** Folder of the scripted model APIs that the real agents are run with. */
const modelApis = resolve(import.meta.dirname, '../fixtures/model-apis');

export interface ModelRequest {
  url: string;
  body: {
    system?: unknown;
    input?: unknown;
    messages?: { role: string; content: unknown }[];
    tools?: { name?: string; function?: { name: string } }[];
  };
}

export interface FakeModel {
  port: number;
  requests(): ModelRequest[];
  stop(): void;
}

export type ModelApi = 'anthropic' | 'openai' | 'gemini';

export type Block = Record<string, unknown>;

export interface Script {
  steps: (Block[] | { ifSaid: string[]; blocks: Block[]; otherwise: Block[] })[];
  matches?: { match: string; in?: string; once?: boolean; blocks: Block[] }[];
  noTools?: string;
  answers?: { module: string; folder: string };
}

/** A step in which the model answers with text. */
export const text = (words: string): Block[] => [{ type: 'text', text: words }];

/** A step in which the model calls a tool, for the API that Codex, OpenCode and Pi use. */
export const tool = (name: string, args: object): Block[] => [{ type: 'tool', name, args }];

export async function startModel(
  { home }: Pick<Sandbox, 'home'>,
  script: Script,
  api: ModelApi = 'anthropic',
): Promise<FakeModel> {
  const port = await freePort();
  const log = join(home, `api-${port}.jsonl`);
  const scriptFile = join(home, `script-${port}.json`);
  writeFileSync(scriptFile, JSON.stringify(script));
  const child: ChildProcess = spawn(
    process.execPath,
    [join(modelApis, `${api}.ts`), String(port), scriptFile, log],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  await new Promise<void>((ready) => child.stderr?.once('data', () => ready()));
  return {
    port,
    requests: () =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .split('\n')
            // The last line may be half written.
            .slice(0, -1)
            .map((line) => JSON.parse(line))
        : [],
    stop: () => child.kill(),
  };
}

function freePort(): Promise<number> {
  return new Promise((found) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => found(port));
    });
  });
}
