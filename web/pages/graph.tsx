import { useEffect, useRef, useState } from 'preact/hooks';
import { type Connected, connect } from '../graph/connected.ts';
import type { Drawing } from '../graph/draw.ts';
import { useKeys } from '../keys.ts';
import { counted, grouped } from '../parts/numbers.ts';
import { Empty, Loaded } from '../parts/states.tsx';
import { chosenProject } from '../project.ts';
import { useResource } from '../resource.ts';
import { linkTo, replace, route } from '../router.ts';
import { isDark } from '../theme.ts';
import type { GraphAnswer, GraphKind, GraphNode } from '../wire.ts';

const mostNodes = 5_000;
const kinds: { kind: GraphKind; name: string }[] = [
  { kind: 'decision', name: 'Decisions' },
  { kind: 'note', name: 'Other notes' },
  { kind: 'file', name: 'Files' },
  { kind: 'symbol', name: 'Symbols' },
  { kind: 'issue', name: 'Issues' },
  { kind: 'concept', name: 'Concepts' },
];

/** What hangs together? Files, symbols, notes and decisions, as a picture and as lists. */
export function GraphPage({ load }: { load(limit: number): Promise<GraphAnswer> }) {
  const graph = useResource(() => load(mostNodes), [chosenProject.value]);
  return (
    <>
      <h1 class="unseen">Graph</h1>
      <Loaded of={graph}>
        {(answer) =>
          answer.edges.length === 0 ? (
            <Empty icon="graph" title="Nothing is tied to code yet">
              <p>Notes that concern files show up here with them.</p>
            </Empty>
          ) : (
            <Body key={chosenProject.value} connected={connect(answer)} isCut={answer.truncated} />
          )
        }
      </Loaded>
    </>
  );
}

function Body({ connected, isCut }: { connected: Connected; isCut: boolean }) {
  // In the address: who opens a note from here and comes back finds the same node.
  const wantedNode = route.value.query.get('node');
  const { nodes, neighbours, alone } = connected;
  const at = wantedNode === null ? -1 : nodes.findIndex(({ id }) => id === wantedNode);
  const chosen = at === -1 ? undefined : at;
  const choose = (next: number | undefined) =>
    replace(linkTo('graph', '', { node: next === undefined ? '' : (nodes[next]?.id ?? '') }));
  const [hidden, setHidden] = useState<ReadonlySet<GraphKind>>(new Set());
  const [stage, setStage] = useState<'coming' | 'drawn' | 'settled'>('coming');
  const [wanted, setWanted] = useState('');
  const place = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing | undefined>(undefined);
  const chosenNow = useRef(chosen);
  useEffect(() => {
    let isShown = true;
    // The library is the largest part of the viewer, so it comes with this page and no other.
    void import('../graph/draw.ts').then(({ draw }) => {
      if (!isShown || place.current === null) return;
      const onSettled = () => {
        setStage('settled');
        // It has been moved meanwhile.
        if (chosenNow.current !== undefined) drawing.current?.choose(chosenNow.current);
      };
      drawing.current = draw({
        place: place.current,
        connected,
        isDark: isDark.value,
        onChoose: choose,
        onSettled,
      });
      drawing.current.choose(chosenNow.current);
      requestAnimationFrame(() => setStage((before) => (before === 'coming' ? 'drawn' : before)));
    });
    return () => {
      isShown = false;
      drawing.current?.close();
    };
  }, []);
  chosenNow.current = chosen;
  useEffect(() => drawing.current?.choose(chosen), [chosen]);
  useEffect(() => drawing.current?.paint(isDark.value), [isDark.value]);
  useEffect(
    () => drawing.current?.show(new Set(kinds.map(({ kind }) => kind).filter((kind) => !hidden.has(kind)))),
    [hidden],
  );
  useKeys({ Escape: () => choose(undefined) });
  const toggle = (kind: GraphKind) =>
    setHidden(
      hidden.has(kind) ? new Set([...hidden].filter((one) => one !== kind)) : new Set([...hidden, kind]),
    );
  return (
    <div class="graph">
      <div
        class="graph-place"
        ref={place}
        data-drawn={stage !== 'coming' || undefined}
        data-settled={stage === 'settled' || undefined}
        role="img"
        aria-label={`${counted(nodes.length, 'node')}; the list beside it has the same`}
      />
      <aside class="graph-side" aria-label="What is shown">
        <fieldset class="graph-kinds">
          <legend class="unseen">Show</legend>
          {kinds.map(({ kind, name }) => {
            const count = nodes.filter((node) => node.kind === kind).length;
            return count === 0 ? null : (
              <label key={kind}>
                <input type="checkbox" checked={!hidden.has(kind)} onChange={() => toggle(kind)} />
                <span class="dot" data-node={kind} />
                {name} <span class="muted">{grouped(count)}</span>
              </label>
            );
          })}
        </fieldset>
        {chosen === undefined ? (
          <>
            <input
              type="search"
              aria-label="Find by name"
              placeholder="Find by name"
              value={wanted}
              onInput={(event) => setWanted(event.currentTarget.value)}
            />
            <NodeList
              title={wanted === '' ? 'Most connected' : 'Found'}
              connected={connected}
              places={found(connected, wanted)}
              onChoose={choose}
            />
          </>
        ) : (
          <ChosenNode
            connected={connected}
            at={chosen}
            neighbours={neighbours[chosen] ?? []}
            onChoose={choose}
          />
        )}
        <p class="muted graph-note">
          {isCut && 'The newest and best connected. '}
          {alone > 0 && `${counted(alone, 'note')} tied to nothing left out.`}
        </p>
      </aside>
    </div>
  );
}

const kindNames: Record<GraphKind, string> = {
  decision: 'A decision or convention',
  note: 'A note',
  file: 'A file',
  symbol: 'A symbol',
  issue: 'An issue',
  concept: 'A concept',
};

const listed = 12;

/** They are in order already: the best connected first. */
function found({ nodes }: Connected, wanted: string): number[] {
  const words = wanted.toLowerCase();
  const isIt = (at: number) => nameOf(nodes[at]).toLowerCase().includes(words);
  return nodes
    .map((_, at) => at)
    .filter(isIt)
    .slice(0, listed);
}

/** A file is called by its path; a symbol has one too, and is not called by it. */
const nameOf = (node: GraphNode | undefined): string =>
  (node?.kind === 'file' ? node.path : undefined) ?? node?.label ?? '';

interface ListProps {
  title: string;
  connected: Connected;
  places: number[];
  onChoose(at: number | undefined): void;
}

const NodeList = ({ title, connected: { nodes }, places, onChoose }: ListProps) => (
  <section class="node-list">
    <h2>{title}</h2>
    {places.length === 0 && <p class="muted">Nothing of that name.</p>}
    <ul>
      {places.map((at) => (
        <li key={at}>
          <button type="button" title={nodes[at]?.path ?? ''} onClick={() => onChoose(at)}>
            <span class="dot" data-node={nodes[at]?.kind} />
            <bdi>{nodes[at]?.label}</bdi>
          </button>
        </li>
      ))}
    </ul>
  </section>
);

function ChosenNode({
  connected,
  at,
  neighbours,
  onChoose,
}: Pick<ListProps, 'connected' | 'onChoose'> & { at: number; neighbours: number[] }) {
  const node = connected.nodes[at];
  if (node === undefined) return null;
  return (
    <section class="chosen-node">
      <button type="button" class="quiet" onClick={() => onChoose(undefined)}>
        ← All
      </button>
      <h2>
        <span class="dot" data-node={node.kind} />
        <bdi>{nameOf(node)}</bdi>
      </h2>
      <p class="muted">
        {kindNames[node.kind]}
        {node.kind === 'symbol' && node.path !== undefined && <> in {node.path}</>}
      </p>
      {node.note !== undefined ? (
        <a class="button" href={linkTo('note', node.note)}>
          Open the note
        </a>
      ) : (
        <a
          class="button"
          href={linkTo('search', '', { q: node.label, file: node.kind === 'file' ? (node.path ?? '') : '' })}
        >
          What is known about it
        </a>
      )}
      <NodeList
        title={counted(neighbours.length, 'neighbour')}
        connected={connected}
        places={neighbours.slice(0, 40)}
        onChoose={onChoose}
      />
    </section>
  );
}
