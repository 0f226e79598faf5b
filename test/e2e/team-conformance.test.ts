import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { describePostgres } from '../contract/postgres-server.ts';
import { noSuite, runSuite, startTokenProxy } from '../support/conformance.ts';
import { createSandbox, type Sandbox } from '../support/sandbox.ts';
import { beginTeam, type ServedTeam, serveTeam } from '../support/team-serve.ts';

/**
 * The team server answers under any host name that its proxy uses, so the suite's DNS rebinding check does not apply. With
 * DNS rebinding, a page has its own host name, and browsers send it no credentials of another host.
 */
const anyName = ['dns-rebinding-protection:localhost-host-rebinding-rejected'];

describePostgres('MCP of a team server', (fresh) => {
  describe.skipIf(noSuite !== undefined)(
    `in the official conformance suite${noSuite === undefined ? '' : ` (skipped: ${noSuite})`}`,
    () => {
      let sandbox: Sandbox;
      let served: ServedTeam;
      let door: Server;
      let project: string;
      beforeAll(async () => {
        sandbox = createSandbox(inject('installedPackage'));
        const begun = beginTeam(sandbox, fresh.url);
        project = begun.project;
        // On a fast machine the suite makes more requests a second than one person may.
        served = await serveTeam(sandbox, inject('installedPackage'), fresh.url, '--rate', '10000');
        door = await startTokenProxy(served.url, begun.token);
      });
      afterAll(() => {
        door.close();
        door.closeAllConnections();
        served.child.kill('SIGKILL');
        sandbox.remove();
      });

      it.each(['2025-11-25', '2026-07-28'])(
        '[team-mcp] passes all applicable tests of revision %s',
        async (revision) => {
          const { code, output, passed } = await runSuite(
            door,
            `/mcp/${project}`,
            revision,
            sandbox.home,
            anyName,
          );
          expect(code, output.slice(-6_000)).toBe(0);
          expect(passed).toBeGreaterThan(30);
        },
      );
    },
  );
});
