import type { Chunk } from '../../src/domain/chunk.ts';
import { shortHitId } from '../../src/recall/render.ts';
import type { Home } from '../../test/harness/home.ts';

/** The fields needed to compute the id under which a hit is shown. */
export type Shown = Pick<Chunk, 'id' | 'source' | 'sourceId'>;

export function askCli(home: Home, text: string): { ids: string[] } | { error: string } {
  const { status, stdout, stderr } = home.cli('recall', '--json', '--limit', '20', '--', text);
  if (status !== 0) return { error: `exit ${status}: ${stdout}${stderr}`.slice(0, 300) };
  const { hits, arms } = JSON.parse(stdout) as { hits: Shown[]; arms: Record<string, string> };
  if (Object.values(arms).includes('failed')) return { error: `an arm failed: ${JSON.stringify(arms)}` };
  return { ids: hits.map(shortHitId) };
}
