import { spawn } from 'node:child_process';
import { linesOf } from '../../../src/base/lines.ts';
import { onEnd } from '../../harness/cleanup.ts';
import { showProgress } from '../../harness/evaluation.ts';
import type { Home } from '../../harness/home.ts';
import type { Random } from '../../harness/random.ts';
import { badText, badValue } from './bad-values.ts';
import type { Tally } from './tally.ts';

const answersWithinMs = 120_000;
const atOnce = 20;

/**
 * Sends one server lines with invalid JSON, protocol messages, tools or arguments. It must keep running and write only
 * protocol messages.
 */
export async function tryMcp(home: Home, n: number, random: Random): Promise<Tally> {
  const tally: Tally = { tried: 0, wrong: [] };
  const child = spawn(process.execPath, [home.program('mcp.js'), '--tools', 'all'], {
    cwd: home.repo,
    env: home.env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onEnd(() => child.kill());
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const waiting = new Map<unknown, () => void>();
  let tools: ListedTool[] = [];
  const listen = async () => {
    for await (const line of linesOf(child.stdout)) {
      const message = parsed(line);
      if (message?.jsonrpc !== '2.0') tally.wrong.push(`not protocol on stdout: ${line.slice(0, 200)}`);
      if (message?.id === 'tools') tools = message.result?.tools ?? [];
      waiting.get(message?.id)?.();
    }
  };
  void listen();
  const send = (line: string) => child.stdin.write(`${line}\n`);
  const ask = (id: string, request: object): Promise<boolean> => {
    send(JSON.stringify({ jsonrpc: '2.0', id, ...request }));
    const answered = new Promise<boolean>((resolve) => waiting.set(id, () => resolve(true)));
    const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), answersWithinMs).unref());
    return Promise.race([answered, late, ended.then(() => false)]);
  };
  await ask('hello', {
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'bad-input', version: '1' },
    },
  });
  send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  await ask('tools', { method: 'tools/list', params: {} });
  for (let number = 0; number < n && child.exitCode === null; number++) {
    send(badLine(number, tools, random));
    tally.tried += 1;
    // Checks regularly that the server still responds, so that it is never more than a few messages behind.
    if (number % atOnce === atOnce - 1 && !(await ask(`ping-${number}`, { method: 'ping' })))
      tally.wrong.push(`no answer after ${number} bad lines`);
    showProgress(number + 1, n);
  }
  if (!(await ask('last', { method: 'tools/list', params: {} }))) tally.wrong.push('no answer at the end');
  child.stdin.end();
  const code = await ended;
  if (code !== 0) tally.wrong.push(`it ended with ${code}`);
  return tally;
}

interface Message {
  jsonrpc?: string;
  id?: unknown;
  result?: { tools?: ListedTool[] };
}

function parsed(line: string): Message | undefined {
  try {
    return JSON.parse(line) as Message;
  } catch {
    return undefined;
  }
}

interface ListedTool {
  name: string;
  inputSchema: { properties?: Record<string, unknown> };
}

/** Tools that are not tried, because they would only make the run longer. */
const leftOut = ['reindex'];

function badLine(number: number, tools: ListedTool[], random: Random): string {
  const oneLine = (text: string): string => text.replaceAll(/[\r\n]/g, ' ');
  const usual = tools.filter(({ name }) => !leftOut.includes(name));
  const call = (): string => {
    const tool = random.pick(usual);
    const names = Object.keys(tool.inputSchema.properties ?? {});
    const given = Object.fromEntries(
      names.filter(() => random.chance(0.6)).map((name) => [name, badValue(number, random)]),
    );
    const params = { name: tool.name, arguments: random.chance(0.1) ? badValue(number, random) : given };
    return JSON.stringify({ jsonrpc: '2.0', id: `call-${number}`, method: 'tools/call', params });
  };
  return oneLine(
    random.pick<() => string>([
      call,
      call,
      call,
      () => badText(number, random),
      () => JSON.stringify(badValue(number, random)),
      () => call().slice(0, random.whole(1, 60)),
      () => JSON.stringify({ jsonrpc: badValue(number, random), id: number, method: 'ping' }),
      () =>
        JSON.stringify({
          jsonrpc: '2.0',
          id: `odd-${number}`,
          method: badText(number, random),
          params: badValue(number, random),
        }),
      () => JSON.stringify({ jsonrpc: '2.0', id: badValue(number, random), method: 'tools/list' }),
      () =>
        JSON.stringify({
          jsonrpc: '2.0',
          id: `call-${number}`,
          method: 'tools/call',
          params: { name: badText(number, random), arguments: {} },
        }),
    ])(),
  );
}
