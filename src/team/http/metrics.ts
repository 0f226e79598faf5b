import type { Limits } from './limits.ts';

export type Metrics = ReturnType<typeof createMetrics>;

const bucketBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Counts requests and their duration per route. Contains no user and no request data. */
export function createMetrics() {
  const requests = new Map<string, number>();
  const times = new Map<string, { counts: number[]; sum: number }>();
  return {
    count(route: string, status: number, seconds: number): void {
      const key = `route="${route}",status="${status}"`;
      requests.set(key, (requests.get(key) ?? 0) + 1);
      const histogram = times.get(route) ?? { counts: bucketBounds.map(() => 0).concat(0), sum: 0 };
      const at = bucketBounds.findIndex((bound) => seconds <= bound);
      const slot = at === -1 ? bucketBounds.length : at;
      histogram.counts[slot] = (histogram.counts[slot] ?? 0) + 1;
      histogram.sum += seconds;
      times.set(route, histogram);
    },
    /** Returns the metrics in Prometheus text format. */
    render({ running, waiting }: ReturnType<Limits['load']>): string {
      const lines = [
        '# TYPE backstory_requests_total counter',
        ...[...requests].map(([key, count]) => `backstory_requests_total{${key}} ${count}`),
        '# TYPE backstory_request_seconds histogram',
      ];
      for (const [route, { counts, sum }] of times) {
        let total = 0;
        for (const [at, count] of counts.entries()) {
          total += count;
          lines.push(
            `backstory_request_seconds_bucket{route="${route}",le="${bucketBounds[at] ?? '+Inf'}"} ${total}`,
          );
        }
        lines.push(`backstory_request_seconds_sum{route="${route}"} ${sum}`);
        lines.push(`backstory_request_seconds_count{route="${route}"} ${total}`);
      }
      lines.push(
        '# TYPE backstory_requests_running gauge',
        `backstory_requests_running ${running}`,
        '# TYPE backstory_requests_waiting gauge',
        `backstory_requests_waiting ${waiting}`,
        '# TYPE process_resident_memory_bytes gauge',
        `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
      );
      return `${lines.join('\n')}\n`;
    },
  };
}
