import { expect, it } from 'vitest';
import { redact } from './redact.ts';
import { redactedKinds, redactionLine } from './redacted-kinds.ts';

it('counts what was replaced by kind, without marks that were there before', () => {
  const text = 'DB_PASSWORD=hunter22x! and SMTP_PASS=hunter33y! after [redacted:assigned-secret]';
  expect(redactedKinds(text, redact(text))).toEqual({ 'assigned-secret': 2 });
  expect(redactedKinds('[redacted:x]', '[redacted:x]')).toEqual({});
  expect(redactionLine(text, redact(text))).toContain('2 × assigned-secret');
  expect(redactionLine('Retries stay in Postgres.', 'Retries stay in Postgres.')).toBe('');
});
