import { expect, it } from 'vitest';
import type { HookCall } from '../agents/agent.ts';
import { createTyped } from './typed.ts';

it('says that the agent wrote a prompt if the call names such a source, but only for a prompt', () => {
  const typed = createTyped(process.pid, {});
  const reason = (event: HookCall['event']) =>
    typed({ agent: 'claude-code', event, cause: 'loop_wakeup' } as HookCall) ?? '';
  expect(reason('prompt')).toContain('loop_wakeup');
  expect(reason('session-start')).not.toContain('loop_wakeup');
});
