import { systemClock } from '../../../src/base/clock.ts';
import { loadStaticModel } from '../../../src/models/static-embed.ts';
import { createTeamApp } from '../../../src/team/http/app.ts';
import { createLimits } from '../../../src/team/http/limits.ts';
import { createMetrics } from '../../../src/team/http/metrics.ts';
import type { TeamStore } from '../../../src/team/store/team-store.ts';
import { teamPartsOf } from '../../contract/team-server.ts';

export interface Asked {
  method: string;
  path: string;
  body?: unknown;
  authorization?: string | undefined;
  /** Further headers, as a browser sends them. */
  headers?: Record<string, string> | undefined;
}

export interface Answered {
  status: number;
  body: string;
  headers: string;
}

export interface TeamApp {
  ask(asked: Asked): Promise<Answered>;
  failures: string[];
}

const plenty = 1_000_000;

/** Stands for the sign-in with an account, which evaluations never use: they use tokens. */
const nobodySignsIn = (): Promise<never> => Promise.reject(new Error('nobody signs in here'));
export const publicUrl = 'http://team.test';

/** The complete server without a socket. Each request has another client address. */
export async function openTeamApp(store: TeamStore): Promise<TeamApp> {
  const model = await loadStaticModel('assets/static-en.bin');
  const failures: string[] = [];
  const app = createTeamApp({
    parts: teamPartsOf(store, model),
    limits: createLimits({ perSecond: plenty, burst: plenty, atOnce: 16, waiting: plenty }, systemClock),
    metrics: createMetrics(),
    browser: { publicUrl, provider: { begin: nobodySignsIn, finish: nobodySignsIn } },
    isOpen: () => true,
    onFailure: (error, where) => failures.push(`${where}: ${String(error)}`),
  });
  let address = 0;
  return {
    failures,
    async ask({ method, path, body, authorization, headers = {} }) {
      address += 1;
      const text = body === undefined ? undefined : JSON.stringify(body);
      const request = new Request(`${publicUrl}${path}`, {
        method,
        headers: {
          ...headers,
          ...(authorization === undefined ? {} : { authorization }),
          // MCP requires this header.
          accept: 'application/json, text/event-stream',
          ...(text === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
        },
        ...(text === undefined ? {} : { body: text }),
      });
      const response = await app.fetch(request, { address: String(address) });
      return {
        status: response.status,
        body: await response.text(),
        headers: JSON.stringify([...response.headers].sort()),
      };
    },
  };
}
