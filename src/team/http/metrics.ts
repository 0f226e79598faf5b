import type { Limits } from './limits.ts';

export type Metrics = ReturnType<typeof createMetrics>;

const bucketBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, Number.POSITIVE_INFINITY];

/** Counts requests and their duration per route. Contains no user and no request data. */
export function createMetrics() {
  const requests = new Map<string, number>();
  const times = new Map<string, { counts: number[]; sum: number }>();
  return {
    count(route: string, status: number, seconds: number): void {
      const key = `route="${route}",status="${status}"`;
      requests.set(key, (requests.get(key) ?? 0) + 1);
      const { counts, sum } = times.get(route) ?? { counts: bucketBounds.map(() => 0), sum: 0 };
      times.set(route, {
        counts: bucketBounds.map((bound, at) => (counts[at] ?? 0) + (seconds <= bound ? 1 : 0)),
        sum: sum + seconds,
      });
    },
    /** Returns the metrics in Prometheus text format. */
    render({ running, waiting }: ReturnType<Limits['load']>): string {
      return [
        '# TYPE backstory_requests_total counter',
        ...[...requests].map(([key, count]) => `backstory_requests_total{${key}} ${count}`),
        '# TYPE backstory_request_seconds histogram',
        ...[...times].flatMap(([route, { counts, sum }]) => [
          ...bucketBounds.map(
            (bound, at) =>
              `backstory_request_seconds_bucket{route="${route}",le="${Number.isFinite(bound) ? bound : '+Inf'}"} ${counts[at]}`,
          ),
          `backstory_request_seconds_sum{route="${route}"} ${sum}`,
          `backstory_request_seconds_count{route="${route}"} ${counts.at(-1)}`,
        ]),
        '# TYPE backstory_requests_running gauge',
        `backstory_requests_running ${running}`,
        '# TYPE backstory_requests_waiting gauge',
        `backstory_requests_waiting ${waiting}`,
        '# TYPE process_resident_memory_bytes gauge',
        `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
        '',
      ].join('\n');
    },
  };
}
