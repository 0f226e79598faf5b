import type { Note } from '../../src/wire/answers/memory.ts';
import { linkTo } from '../router.ts';
import { MemoryLine } from './memory-text.tsx';
import { Age } from './time.tsx';

/** Who in the team says that a note is wrong, with a link to what they say is right. */
export const Disputes = ({ of: disputes }: { of: NonNullable<Note['disputes']> }) => (
  <>
    {disputes.map(({ by, at, correction, keptAt }) => (
      <p class="callout" key={`${by} ${at}`}>
        Disputed by <MemoryLine text={by} /> <Age at={at} />.
        {correction !== undefined && (
          <>
            {' '}
            <a href={linkTo('note', correction)}>Their correction</a>
          </>
        )}
        {keptAt !== undefined && (
          <>
            {' '}
            Kept <Age at={keptAt} />.
          </>
        )}
      </p>
    ))}
  </>
);
