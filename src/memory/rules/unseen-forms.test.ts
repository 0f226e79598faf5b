import { describe, expect, it } from 'vitest';
import { unseenForms } from './unseen-forms.ts';

describe('what is said when a matcher is set', () => {
  it('names the short form of a long option, which is not matched, and that scripts and aliases are not seen', () => {
    const [spellings, others] = unseenForms({ command: ['git push --force'] });
    expect(spellings).toContain("name it, too: --command 'git push -f'");
    expect(others).toContain('An alias, a script');
  });

  it('offers no spelling that was named already, and none for a command without a long option', () => {
    expect(unseenForms({ command: ['git push --force', 'git push -f', 'npm publish'] })).toEqual([
      'An alias, a script, or another program that does the same is not seen.',
    ]);
  });

  it('says of a path that a script may write it, and nothing of packages and text', () => {
    expect(unseenForms({ path: ['legacy/**'] })).toEqual([
      'A script or program that writes the file itself is not seen.',
    ]);
    expect(unseenForms({ package: ['moment'], text: ['console.log('] })).toEqual([]);
  });
});
