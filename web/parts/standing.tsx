import type { Note, Topic } from '../../src/wire/answers/memory.ts';
import { api } from '../api.ts';
import { mayApprove } from '../overview.ts';
import { linkTo } from '../router.ts';
import { NoteLink } from './memory-text.tsx';
import { Age } from './time.tsx';
import { useDecision } from './toast.tsx';

type Known = Pick<Topic, 'closedBy' | 'changedBy' | 'doubtedSince'> & { state?: Topic['state'] | undefined };

interface StandingProps {
  of: Known;
  /** The revision is absent if the answer does not have it. */
  note: Pick<Note, 'id'> & { rev?: number };
  /** The page offers this among its actions. */
  hasOwnAction?: boolean;
}

/** Says what ended a note or may have changed it, with the button by which a person says that it holds nevertheless. */
export function Standing({
  of: { state, closedBy, changedBy, doubtedSince },
  note,
  hasOwnAction,
}: StandingProps) {
  const { isDecided, settle } = useDecision();
  const cause = closedBy ?? changedBy;
  if (state === 'archived' || state === 'candidate')
    return (
      <p class="standing" data-closed>
        {state === 'archived' ? 'Put aside. No session is told it.' : 'Not reviewed. No session is told it.'}
      </p>
    );
  const at = cause?.at || doubtedSince;
  if (isDecided || (cause === undefined && doubtedSince === undefined)) return null;
  const isByUser = closedBy?.id === 'user';
  const holds = () =>
    settle('It still holds', () => (closedBy === undefined ? api.accept(note) : api.reopen(note)));
  return (
    <p class="standing" data-closed={closedBy !== undefined || undefined}>
      <span>
        <strong>
          {closedBy === undefined ? 'May have changed' : isByUser ? 'Withdrawn by you' : 'Superseded'}
        </strong>
        {at !== undefined && at !== '' && (
          <>
            , <Age at={at} />
          </>
        )}
        {cause !== undefined && !isByUser && (
          <>
            , by{' '}
            {cause.text === '' ? (
              <a href={linkTo('event', cause.id)}>what you said</a>
            ) : (
              <NoteLink id={cause.id} text={cause.text} />
            )}
          </>
        )}
        {cause === undefined && '. What had replaced it was forgotten.'}
      </span>
      {mayApprove.value && hasOwnAction !== true && (
        <button type="button" onClick={holds}>
          Still holds
        </button>
      )}
    </p>
  );
}
