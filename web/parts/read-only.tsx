import { Icon } from './icon.tsx';

/** Shown instead of buttons that require a person. */
export const ReadOnly = () => (
  <p class="outdated" role="status">
    <Icon name="warning" />
    <span>
      This session can read and propose, but not approve, edit or reject. To do that, run{' '}
      <code>backstory ui</code> yourself in a terminal outside the agent.
    </span>
  </p>
);
