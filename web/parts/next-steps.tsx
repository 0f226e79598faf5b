import { signal } from '@preact/signals';
import type { NextSteps as Steps } from '../../src/wire/answers/project.ts';
import { useMemoryResource } from '../resource.ts';

/** Asks what the user should do next, as `status` and `doctor` say it. Only the local viewer can. */
export const askNextSteps = signal(async (): Promise<Steps> => ({ items: [] }));

export const useNextSteps = (): Steps['items'] => useMemoryResource(askNextSteps.value).value?.items ?? [];

/** The next steps, for a page that has nothing to show. It leaves out the command that shows the same as the page. */
export const NextSteps = ({ except = '' }) => (
  <>
    {useNextSteps()
      .filter(({ command }) => command !== except)
      .map(({ command, reason }, at) => (
        <p key={command} class="next-step">
          {at === 0 ? 'Next' : 'Then'}, run in a terminal: <code>{command}</code>
          <span class="muted"> ({reason})</span>
        </p>
      ))}
  </>
);
