import { describe, expect, it } from 'vitest';
import { sessionEnd } from './session-end.ts';

const saidLast = (text: string) => sessionEnd([], [{ event: 'e', text }]).agentWords?.text;

describe('what an agent said last', () => {
  it('is the first paragraph of its answer that says something', () => {
    const answer =
      'Done.\n\n```sh\nrm -rf it\n\nall of it\n```\nThe **timer** fired twice. One worker owns it now.';
    expect(saidLast(`${answer}\n\n- \`src/timer.ts\`\n\nShall I commit it now?`)).toBe(
      'The timer fired twice. One worker owns it now.',
    );
    expect(saidLast('- moved the parser to its own file')).toBe('moved the parser to its own file');
  });

  it('contains no code and no quotation', () => {
    expect(saidLast('```sh\nrm everything you have\n```\n> we decided to drop it all')).toBeUndefined();
  });
});
