import { signal } from '@preact/signals';
import { sections } from '../sections.ts';
import { Dialog } from './dialog.tsx';
import { Key } from './states.tsx';

export const isHelpOpen = signal(false);

const everywhere: [string, string][] = [
  ['/', 'Search or jump'],
  ['⌘ K', 'The same, also while typing'],
  ['?', 'This help'],
  ['d', 'Dark, light or as the system'],
  ['j', 'Next'],
  ['k', 'Previous'],
  ['Enter', 'Open'],
];

const reviewing: [string, string][] = [
  ['a', 'Accept'],
  ['e', 'Edit'],
  ['r', 'Reject'],
  ['u', 'Undo'],
];

export const HelpDialog = () => (
  <Dialog open={isHelpOpen} label="Keyboard help">
    <h2>Keyboard</h2>
    <div class="help">
      <Keys title="Go to" rows={sections.map(({ letter, name }) => [`g ${letter}`, name])} />
      <Keys title="Everywhere" rows={everywhere} />
      <Keys title="In Review" rows={reviewing} />
    </div>
  </Dialog>
);

const Keys = ({ title, rows }: { title: string; rows: [string, string][] }) => (
  <section>
    <h3>{title}</h3>
    <dl>
      {rows.map(([key, what]) => (
        <div key={key}>
          <dt>{what}</dt>
          <dd>
            <Key of={key} />
          </dd>
        </div>
      ))}
    </dl>
  </section>
);
