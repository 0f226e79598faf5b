import { createFileWriter } from '../holds/file-writer.ts';
import { statementIn } from './past.ts';

/** Words of the instructions of the two calls. */
const [writes, compares] = ['You keep the memory of a software project', 'You compare wordings'];

/**
 * Answers a request of Backstory: from the exchange in a folder, by the session in the request, or, without a folder,
 * with the statement that a made-up session settles. Undefined for a request of the agent itself.
 */
export async function answer(system: string, said: string, folder: string): Promise<string | undefined> {
  if (!system.includes(writes) && !system.includes(compares)) return undefined;
  const data = /^The (?:record|items).*^--- \w+ ends/ms.exec(said)?.[0] ?? said;
  if (folder !== '') {
    const request = { instructions: system, data, maxTokens: 0 };
    const { text } = await createFileWriter({ folder, mode: 'replay' }).write(
      request,
      AbortSignal.timeout(60_000),
    );
    return text;
  }
  const same = { verdict: 'same', lasting: 'yes', kind: 'decision', label: 'ok', replaces: 'yes' };
  if (system.includes(compares))
    return JSON.stringify(
      Object.fromEntries([...data.matchAll(/^item (\w+)$/gm)].map(([, id]) => [id, same])),
    );
  const { topic, quote } = statementIn(data.slice(data.search(/^session/m)));
  const known = [...data.matchAll(/^([sl]\d+) [^\n]*\n(\| [^\n]*)$/gm)].find(
    ([, , line = '']) => statementIn(line).topic === topic,
  );
  const [, id = ''] = known ?? [];
  const cited = { replaces: id.startsWith('s') ? id : '', endedBy: id.startsWith('l') ? id : '' };
  const statement = { kind: 'decision', topic, quote, reading: '', proposal: '', ...cited, evidence: ['e1'] };
  return JSON.stringify({ statements: quote === '' ? [] : [statement] });
}
