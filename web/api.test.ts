import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openApiDocuments } from '../scripts/client.ts';

it.each([
  ['web/api.ts', 'serve', 22],
  ['web/team/api.ts', 'team', 9],
] as const)(
  '%s sends only requests that the server has, and expects the answers that it gives',
  (file, server, least) => {
    const written = readFileSync(file, 'utf8')
      .replaceAll(/\$\{isOn \? '(\w+)' : '\w+'\}/g, '$1')
      .replaceAll(/\$\{verb\}/g, 'accept');
    const requests = [...written.matchAll(/<(\w+)>\(\s*['`]([A-Z]+) (\/[^'`]+)/g)];
    expect(requests.length).toBeGreaterThanOrEqual(least);
    for (const [, answer, method, path] of requests) {
      const operation = openApiDocuments[server].paths[path as string]?.[(method as string).toLowerCase()];
      const media = JSON.stringify(
        operation?.responses[Object.keys(operation.responses)[0] as string]?.content,
      );
      expect(media, `${method} ${path}`).toContain(`/schemas/${answer}"`);
    }
  },
);
