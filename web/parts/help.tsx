import { signal } from '@preact/signals';
import type { Section } from '../sections.ts';
import { Dialog } from './dialog.tsx';
import { Key } from './states.tsx';

const isHelpOpen = signal(false);

export const openHelp = (): void => {
  isHelpOpen.value = true;
};

const everywhere: [string, string][] = [
  ['/', 'Search or jump'],
  ['⌘ K', 'Search or jump, even while typing'],
  ['?', 'This help'],
  ['d', 'Switch theme'],
  ['j', 'Next'],
  ['k', 'Previous'],
  ['Enter', 'Open'],
];

/** Keyboard shortcuts of one page. */
export interface PageKeys {
  title: string;
  rows: [string, string][];
}

export const HelpDialog = ({ sections, more }: { sections: Section[]; more: PageKeys }) => (
  <Dialog open={isHelpOpen} label="Keyboard help">
    <h2>Keyboard</h2>
    <div class="help">
      <Keys title="Go to" rows={sections.map(({ letter, name }) => [`g ${letter}`, name])} />
      <Keys title="Everywhere" rows={everywhere} />
      <Keys {...more} />
    </div>
  </Dialog>
);

const Keys = ({ title, rows }: PageKeys) => (
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
