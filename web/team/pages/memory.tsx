import type { OpenedMemory, TeamMemory } from '../../../src/wire/answers/team.ts';
import { useKeys } from '../../keys.ts';
import { KindBadge } from '../../parts/badges.tsx';
import { Disputes } from '../../parts/disputes.tsx';
import { escapeHidden } from '../../parts/escape-hidden.ts';
import { Fact } from '../../parts/fact.tsx';
import { Icon } from '../../parts/icon.tsx';
import { MemoryLine, MemoryText, NoteLink } from '../../parts/memory-text.tsx';
import { counted } from '../../parts/numbers.ts';
import { Key, Loaded } from '../../parts/states.tsx';
import { Age } from '../../parts/time.tsx';
import { decide, say } from '../../parts/toast.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { useMemoryResource } from '../../resource.ts';
import { go, linkTo, route } from '../../router.ts';
import { teamApi } from '../api.ts';
import { OutsideBadge, sourceName } from '../parts.tsx';
import { mayChangeIn } from '../signed-in.ts';

/** Shows one memory with its author, dates, mentions and related memories. */
export function MemoryPage() {
  const id = route.value.rest;
  const opened = useMemoryResource(() => teamApi.memory(id), [id]);
  return <Loaded of={opened}>{(value) => <Body opened={value} />}</Loaded>;
}

function Body({ opened: { memory, related } }: { opened: OpenedMemory }) {
  useTitle(memory.text.split('\n')[0] ?? '');
  const remove = () => {
    const here = linkTo('note', memory.documentId);
    go(linkTo('search'));
    decide({
      message: 'Deleted for everybody',
      carryOut: () =>
        teamApi.remove(memory.documentId).catch((error: Error) => say(`Not deleted: ${error.message}`)),
      undo: () => go(here),
    });
  };
  // Check the project of this memory: a link can open a memory of another project than the chosen one.
  const mayDelete = mayChangeIn(memory.project);
  useKeys(mayDelete ? { x: remove } : {});
  return (
    <article class="note">
      <header class="note-head">
        <p class="hit-head">
          <KindBadge kind={memory.kind} />
          {memory.trust === 0 && <OutsideBadge />}
          {memory.visibility === 'private' && <span class="state">Only you</span>}
        </p>
        <Disputes of={memory.disputes ?? []} />
        <h1 class="unseen">
          <MemoryLine text={memory.text.split('\n')[0] ?? ''} />
        </h1>
      </header>
      <div class="note-columns">
        <div class="note-main">
          <MemoryText text={memory.text} />
        </div>
        <aside class="note-side" aria-label="About this memory">
          <dl>
            <Fact name="Author">{memory.author?.name ?? 'Unknown'}</Fact>
            <Fact name="Written">
              <Age at={memory.created} />
            </Fact>
            {memory.updated !== memory.created && (
              <Fact name="Changed">
                <Age at={memory.updated} />
              </Fact>
            )}
            <Fact name="Source">
              {sourceName(memory.source)}{' '}
              <code class="break">{escapeHidden(memory.sourceRef).slice(0, 200)}</code>
            </Fact>
            <Fact name="Trust">
              {memory.trust === 0 ? 'Untrusted: from outside the team' : 'A teammate or their agent'}
            </Fact>
            <Fact name="Searchable by">
              {memory.embeddedAt === null ? 'Words; meaning is not indexed yet' : 'Words and meaning'}
            </Fact>
            {tagsOf(memory).map(([name, value]) => (
              <Fact key={name} name={name}>
                {value}
              </Fact>
            ))}
          </dl>
          {mayDelete && (
            <button type="button" class="danger" title="For everybody in the project" onClick={remove}>
              <Icon name="close" /> Delete <Key of="x" />
            </button>
          )}
        </aside>
        <div class="note-main">
          <Mentions memory={memory} />
          {related.length > 0 && <Related related={related} />}
        </div>
      </div>
    </article>
  );
}

/** Files, issues and concepts that the memory mentions. Each links to a search for it. */
function Mentions({ memory: { files, issues, concepts } }: { memory: TeamMemory }) {
  if (files.length + issues.length + concepts.length === 0) return null;
  return (
    <section>
      <h2>Mentions</h2>
      <p class="paths">
        {files.map((path) => (
          <a key={path} href={linkTo('search', '', { q: nameOf(path), file: path })}>
            <code>{path}</code>
          </a>
        ))}
        {[...issues, ...concepts].map((name) => (
          <a key={name} href={linkTo('search', '', { q: name })}>
            <code>{name}</code>
          </a>
        ))}
      </p>
    </section>
  );
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');

const Related = ({ related }: Pick<OpenedMemory, 'related'>) => (
  <section>
    <h2>Related</h2>
    <ul class="related">
      {related.map(({ documentId, kind, trust, title, shared }) => (
        <li key={documentId}>
          <KindBadge kind={kind} />
          {trust === 0 && <OutsideBadge />}
          <NoteLink id={documentId} text={title} />
          <span class="muted">{counted(shared, 'mention')} in common</span>
        </li>
      ))}
    </ul>
  </section>
);

/** Metadata that the page already shows in another place. */
const shownElsewhere = [
  'trust',
  'kind',
  'files',
  'concepts',
  'author',
  'rev',
  'device',
  'created',
  'updated',
];
const tagsOf = ({ metadata }: TeamMemory): [string, string][] =>
  Object.entries(metadata)
    .filter(
      ([name, value]) =>
        !shownElsewhere.includes(name) && ['string', 'number', 'boolean'].includes(typeof value),
    )
    .map(([name, value]): [string, string] => [
      escapeHidden(name).slice(0, 40),
      escapeHidden(String(value)).slice(0, 120),
    ])
    .slice(0, 8);
