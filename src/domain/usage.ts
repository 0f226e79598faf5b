/** Tokens that a model read and wrote, as the transcript reports them. Cached tokens are not in `input`. */
export interface Usage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** US dollars; absent if the transcript names no cost. */
  cost?: number | undefined;
}

/** What one model used in a turn, or in a subagent of the turn. */
export interface TurnUsage extends Usage {
  turn: string;
  /** Empty for the main agent. */
  subagent: string;
  model: string;
}

export const allTokens = ({ input, output, cacheRead, cacheWrite }: Usage): number =>
  input + output + cacheRead + cacheWrite;

export function addUsage(uses: Usage[]): Usage {
  const sum: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  for (const { input, output, cacheRead, cacheWrite, cost } of uses) {
    sum.input += input;
    sum.output += output;
    sum.cacheRead += cacheRead;
    sum.cacheWrite += cacheWrite;
    if (cost !== undefined) sum.cost = (sum.cost ?? 0) + cost;
  }
  return sum;
}

/** The reports that count of one session. A turn that was read before its end is reported again, with more tokens. */
export function largestReports<Report extends TurnUsage>(reports: Report[]): Report[] {
  const largest = new Map<string, Report>();
  for (const report of reports) {
    const key = JSON.stringify([report.turn, report.subagent, report.model]);
    const other = largest.get(key);
    if (other === undefined || allTokens(report) > allTokens(other)) largest.set(key, report);
  }
  return [...largest.values()];
}

/** Sums the usage of a session or a turn; undefined if none is known. */
export function sumUsage(reports: TurnUsage[]): (Usage & { models: string[] }) | undefined {
  const largest = largestReports(reports);
  if (largest.length === 0) return undefined;
  const byModel = Map.groupBy(largest, ({ model }) => model);
  const ranked = [...byModel].map(([model, uses]) => ({
    model,
    isMain: uses.some(({ subagent }) => subagent === ''),
    output: addUsage(uses).output,
  }));
  ranked.sort((a, b) => Number(b.isMain) - Number(a.isMain) || b.output - a.output);
  return { ...addUsage(largest), models: ranked.map(({ model }) => model) };
}

/** Tokens and cost in a few words: `1.2M tokens in, 45k out, $1.20`. Empty if no tokens are known. */
export function usageText(usage: Usage): string {
  if (allTokens(usage) === 0) return '';
  const cost = usage.cost === undefined || usage.cost === 0 ? '' : `, $${usage.cost.toFixed(2)}`;
  return `${short(allTokens(usage) - usage.output)} tokens in, ${short(usage.output)} out${cost}`;
}

const short = (tokens: number): string =>
  new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 }).format(tokens);
