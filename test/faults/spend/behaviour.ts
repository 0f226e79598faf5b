import { countTokens } from 'gpt-tokenizer/model/gpt-4o';
import type { Random } from '../../harness/random.ts';
import type { Behaviour, WritingRequest } from '../../support/writing-server.ts';

/** Faults of a provider, how often they occur, and what they really cost. */
export type ProviderFault =
  | 'good'
  | 'fails'
  | 'hangs'
  | 'floods'
  | 'claims nothing'
  | 'claims millions'
  | 'rate-limits'
  | 'talks nonsense'
  | 'is not answered: killed';

const weights: [ProviderFault, number][] = [
  ['good', 30],
  ['fails', 14],
  ['hangs', 9],
  ['floods', 10],
  ['claims nothing', 14],
  ['claims millions', 0.4],
  ['rate-limits', 10],
  ['talks nonsense', 7],
  ['is not answered: killed', 5],
];

export function chooseFault(random: Random): ProviderFault {
  let left = random.next() * weights.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [mischief, weight] of weights) {
    left -= weight;
    if (left < 0) return mischief;
  }
  return 'good';
}

const statement = {
  kind: 'fact',
  topic: 'loader memory',
  quote: '',
  reading: 'The loader keeps every row in memory until the file ends.',
  proposal: '',
  replaces: '',
  evidence: ['e2'],
};
const text = JSON.stringify({ statements: [statement] });

export function behaviourOf(mischief: ProviderFault, { data, instructions }: WritingRequest): Behaviour {
  switch (mischief) {
    case 'good':
      return {
        kind: 'answer',
        text,
        claims: { input: tokensOf(instructions, data), output: countTokens(text) },
      };
    case 'claims nothing':
      return { kind: 'answer', text, claims: { input: 1, output: 0 } };
    case 'claims millions':
      return { kind: 'answer', text, claims: { input: 9_000_000, output: 9_000_000 } };
    case 'fails':
      return { kind: 'refuse', status: 500 };
    case 'rate-limits':
      return { kind: 'refuse', status: 429, retryAfter: '90' };
    case 'floods':
      return { kind: 'flood' };
    case 'talks nonsense':
      return { kind: 'garbage' };
    case 'hangs':
    case 'is not answered: killed':
      return { kind: 'hang' };
  }
}

const tokensOf = (...texts: string[]): number => texts.reduce((sum, each) => sum + countTokens(each), 0);
/** The text of the flood has four tokens in eleven bytes. */
const floodTokens = (bytes: number): number => Math.ceil((bytes * 4) / 11);

/**
 * Returns what a call really costs, counted by a real tokenizer. A provider charges for the input even if it then
 * fails, and here also for the maximum output if it never answers. Only a rejected call is free.
 */
export async function trueCost(
  mischief: ProviderFault,
  request: WritingRequest,
): Promise<{ input: number; output: number }> {
  const sent = await request.closed;
  const input = tokensOf(request.instructions, request.data);
  switch (mischief) {
    case 'rate-limits':
      return { input: 0, output: 0 };
    case 'hangs':
    case 'is not answered: killed':
      return { input, output: request.maxTokens };
    case 'floods':
      return { input, output: floodTokens(sent) };
    case 'good':
    case 'claims nothing':
    case 'claims millions':
      return { input, output: countTokens(text) };
    default:
      return { input, output: 0 };
  }
}
