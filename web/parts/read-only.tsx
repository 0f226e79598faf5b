import { Icon } from './icon.tsx';

/** Stands where the buttons would be that only a person may use. */
export const ReadOnly = () => (
  <p class="outdated" role="status">
    <Icon name="warning" />
    <span>
      This session can read and propose, but not approve, edit or reject. To do that, run{' '}
      <code>backstory ui</code> yourself in a terminal outside the agent.
    </span>
  </p>
);
