import { readFileSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { errorMeanings } from '../../test/error-meanings.ts';
import { jsonShapes } from '../../test/json-shapes.ts';
import { preludeText } from '../memory/prelude/prelude-file.ts';
import { estimateJsonTokens, estimateTokens } from './tokens.ts';

const source = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

const line = (at: number): string =>
  `2026-11-${10 + at} you said: We keep src/queue/worker-${at}.ts on retry_backoff instead of setTimeout, because timers drift. [${(at * 2654435761).toString(16).slice(0, 8)}]`;

const samples: [name: string, text: string][] = [
  [
    'English prose',
    `We decided to keep retries in Postgres instead of Redis because Redis lost jobs on failover. A worker asks for a
    job, holds it for a minute, and gives it back when it fails. Nobody should have to read this twice to understand
    why it is so; everyone may change it, once the reasons have changed. What was measured: 12,400 jobs, 31 lost.`,
  ],
  [
    'comments of this repository',
    (source('../domain/event.ts').match(/\/\*\*[\s\S]*?\*\//g) ?? []).join('\n'),
  ],
  ['TypeScript that is all types', source('../domain/event.ts')],
  ['TypeScript', source('./words.ts')],
  ['dense TypeScript with SQL in it', source('../store/sqlite/log-index.ts')],
  ['JSON', source('../../package.json')],
  [
    'a prelude',
    preludeText(
      Array.from({ length: 9 }, (_, at) => ({ section: 'Decided', text: line(at), reason: '' })),
      [
        '2026-11-14 22:58 you asked: Why does the queue test fail on CI?',
        'edited src/queue.ts, test/queue.test.ts',
      ],
      'queue',
    ),
  ],
  [
    'German',
    'Wir haben entschieden, die Wiederholungen in der Datenbank zu halten, weil der Zwischenspeicher beim Ausfall Aufträge verlor. Für größere Änderungen müssen Prüfungen geschrieben werden.',
  ],
  [
    'Russian',
    'Мы решили хранить повторные попытки в базе данных, а не в кэше, потому что кэш терял задания при переключении.',
  ],
  [
    'Chinese',
    '我们决定把重试队列保存在数据库里，而不是放在缓存中，因为缓存在故障转移时丢失了任务。请修改队列文件，并且写一个测试来证明任务不会丢失。',
  ],
  [
    'Japanese',
    '再試行のキューはキャッシュではなくデータベースに保存することにしました。フェイルオーバーのときにジョブが失われたためです。テストを書いて、ファイルを変更してください。',
  ],
  [
    'Korean',
    '재시도 대기열은 캐시가 아니라 데이터베이스에 두기로 결정했습니다. 장애 조치 때 작업이 사라졌기 때문입니다. 테스트를 작성하고 파일을 수정해 주세요.',
  ],
];

describe('estimateTokens', () => {
  it.each(samples)('[token-estimate] is between 0.95 and 1.6 times the real count of %s', (_name, text) => {
    const ratio = estimateTokens(text) / countTokens(text);
    expect(ratio).toBeGreaterThanOrEqual(0.95);
    expect(ratio).toBeLessThanOrEqual(1.6);
  });

  it('is 0 for an empty text, and grows with every piece', () => {
    expect(estimateTokens('')).toBe(0);
    expect(estimateTokens('one two')).toBeGreaterThan(estimateTokens('one'));
    expect(estimateTokens('🎉'.repeat(20))).toBeGreaterThanOrEqual(0.95 * countTokens('🎉'.repeat(20)));
  });
});

describe('estimateJsonTokens', () => {
  it.each([
    [
      'a tool',
      {
        name: 'recall',
        description: 'Search memory.',
        input_schema: {
          type: 'object',
          properties: {
            query: { type: 'string', description: 'What to find, in plain words' },
            limit: { type: 'integer' },
          },
          required: ['query'],
        },
      },
    ],
    ['schemas', Object.values(jsonShapes).map((shape) => z.toJSONSchema(shape))],
    ['sentences in JSON', errorMeanings],
  ])('[token-estimate] is between 0.95 and 1.3 times the real count of %s', (_name, value) => {
    // No definition of a tool contains the pattern of a time, which has more tokens than other JSON.
    const json = JSON.stringify(value, (key, each) => (key === 'pattern' ? undefined : each));
    const ratio = estimateJsonTokens(json) / countTokens(json);
    expect(ratio).toBeGreaterThanOrEqual(0.95);
    expect(ratio).toBeLessThanOrEqual(1.3);
  });
});
