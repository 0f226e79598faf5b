import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Prose } from './prose.ts';
import type { Random } from './random.ts';

/**
 * Writes a long transcript like those of Claude Code: about one tenth is conversation, the rest is tool results,
 * attachments and copies of requests. Returns the number of prompts and answers.
 */
export function writeTranscript(
  path: string,
  options: { cwd: string; session: string; bytes: number },
  prose: Prose,
  random: Random,
): { bytes: number; turns: number } {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'w');
  let written = 0;
  let turns = 0;
  const common = { sessionId: options.session, cwd: options.cwd, version: '2.1.325', gitBranch: 'main' };
  const put = (value: object) => {
    written += writeSync(file, `${JSON.stringify({ ...common, isSidechain: false, ...value })}\n`);
  };
  try {
    while (written < options.bytes) {
      const turn = `${options.session}-${turns}`;
      const timestamp = new Date(Date.UTC(2026, 0, 1) + turns * 60_000).toISOString();
      const chain = { promptId: turn, timestamp };
      const say = (words: string) => ({
        id: `m-${turn}`,
        role: 'assistant',
        content: [{ type: 'text', text: words }],
      });
      put({
        ...chain,
        type: 'user',
        uuid: `${turn}-u`,
        promptSource: 'typed',
        message: { role: 'user', content: `prompt ${turn} ${prose.take(random.size(80, 2_000), random)}` },
      });
      put({
        type: 'attachment',
        uuid: `${turn}-at`,
        parentUuid: `${turn}-u`,
        attachment: { type: 'prompt_snapshot', content: prose.take(6_000, random) },
      });
      for (let call = 0; call < 3; call++) {
        const id = `toolu_${turn}_${call}`;
        const input = { command: `npm test -- ${call}` };
        const output = prose.take(random.size(500, 20_000), random);
        put({
          timestamp,
          type: 'assistant',
          uuid: `${id}-use`,
          parentUuid: `${turn}-u`,
          message: {
            id: `m-${id}`,
            role: 'assistant',
            content: [{ type: 'tool_use', id, name: 'Bash', input }],
          },
        });
        put({
          ...chain,
          type: 'user',
          uuid: `${id}-res`,
          parentUuid: `${id}-use`,
          toolUseResult: { stdout: output, stderr: '' },
          message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: output }] },
        });
      }
      put({ type: 'api-request-blob', blob: prose.take(8_000, random) });
      put({
        timestamp,
        type: 'assistant',
        uuid: `${turn}-a`,
        parentUuid: `${turn}-u`,
        message: say(`answer ${turn} ${prose.take(random.size(200, 6_000), random)}`),
      });
      turns += 1;
    }
  } finally {
    closeSync(file);
  }
  return { bytes: written, turns };
}
