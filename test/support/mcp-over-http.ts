import { AppError } from '../../src/base/errors.ts';
import { createMcpOverHttp } from '../../src/cmd/mcp-over-http.ts';
import type { Wiring } from '../../src/cmd/wiring.ts';
import type { Place } from '../../src/domain/project.ts';
import { activationOf } from '../../src/memory/projects/activation.ts';
import { resolvePlace } from '../../src/memory/projects/projects.ts';
import type { HttpHome } from './http-home.ts';

/** The MCP server of a home, as `serve` runs it, without code search. */
export function mcpOf(home: HttpHome) {
  const { place } = resolvePlace(home.paths, home.work, home.clock);
  const wiring = {
    version: '0.0.0',
    paths: home.paths,
    userHome: home.home,
    programs: { parseCode: '', grammars: '' },
    open: () => home.open(),
    activation: (at: Place, cwd: string) =>
      activationOf(home.paths, { ...at, cwd, userHome: home.home }, home.clock),
    context: () => ({ device: 'device', actor: 'tester', agentVersion: '0', ...place }),
  } as unknown as Wiring;
  const noCode = new AppError('REPO_NOT_DETECTED', 'no code search in this test', { hint: '' });
  return { mcp: createMcpOverHttp(wiring, () => Promise.reject(noCode)), place };
}
