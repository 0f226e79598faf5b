import type { ComponentChildren } from 'preact';
import type { Bindings } from '../keys.ts';
import { Key } from './states.tsx';

/** Something that the user can do, by a button or its key. */
export interface Action {
  name: string;
  key: string;
  run(): void;
  look?: 'primary' | 'quiet';
}

export const Actions = ({ of: actions, children }: { of: Action[]; children?: ComponentChildren }) => (
  <div class="actions">
    {actions.map(({ name, key, run, look }) => (
      <button key={name} type="button" class={look} onClick={run}>
        {name} <Key of={key} />
      </button>
    ))}
    {children}
  </div>
);

export const keysOf = (actions: Pick<Action, 'key' | 'run'>[]): Bindings =>
  Object.fromEntries(actions.map(({ key, run }) => [key, run]));
