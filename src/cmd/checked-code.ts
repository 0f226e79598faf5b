import { systemClock } from '../base/clock.ts';
import type { ParseThread } from '../code/parse-thread.ts';
import { grammarOfName } from '../code/symbols/grammars.ts';
import type { CheckedCode } from '../drift/current-code.ts';
import { deviceOf } from '../memory/projects/device.ts';
import type { Wiring } from './wiring.ts';

/** The checkout that memories are compared with. The parser thread starts only if comparing lines is not enough. */
export function checkedCode({ paths, programs }: Wiring, root: string): CheckedCode {
  let thread: ParseThread | undefined;
  return {
    root,
    get key() {
      return deviceOf(paths.device).key;
    },
    async symbols(path, text, timeoutMs) {
      if (grammarOfName(path) === undefined) return undefined;
      const { ParseThread: Thread } = await import('../code/parse-thread.ts');
      thread ??= new Thread(programs.parseCode, programs.grammars, systemClock);
      const parsed = await thread.parse({ root, path, text, deadline: systemClock.now() + timeoutMs });
      return parsed.kind === 'text' && parsed.how === 'parsed' ? parsed.symbols : undefined;
    },
  };
}
