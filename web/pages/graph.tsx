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

const maxNodes = 5_000;
const kinds: { kind: GraphKind; name: string }[] = [
  { kind: 'decision', name: 'Decisions' },
  { kind: 'note', name: 'Other notes' },
  { kind: 'file', name: 'Files' },
  { kind: 'symbol', name: 'Symbols' },
  { kind: 'issue', name: 'Issues' },
  { kind: 'concept', name: 'Concepts' },
];

/** How files, symbols, notes and decisions are connected, as a picture and as lists. */
export function GraphPage({ load }: { load(limit: number): Promise<GraphAnswer> }) {
  const graph = useResource(() => load(maxNodes), [chosenProject.value]);
  return (
    <>
      <h1 class="unseen">Graph</h1>
      <Loaded of={graph}>
        {(answer) =>
          answer.edges.length === 0 ? (
            <Empty icon="graph" title="No note is linked to code yet">
              <p>Notes about files appear here together with the files.</p>
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
  // The selected node is kept in the address, so that going back from a note selects the same node again.
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
    // The graph library is the largest part of the viewer, so only this page loads it.
    void import('../graph/draw.ts').then(({ draw }) => {
      if (!isShown || place.current === null) return;
      const onSettled = () => {
        setStage('settled');
        // Show the chosen node again, because the layout has moved it.
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
        aria-label={`Graph of ${counted(nodes.length, 'node')}, also shown in the list next to it`}
      />
      <aside class="graph-side" aria-label="Nodes">
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
          {isCut && 'Only the newest and best connected nodes are shown. '}
          {alone > 0 && `${counted(alone, 'unconnected note')} not shown.`}
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

const maxListed = 12;

/** Nodes whose name contains the text. `nodes` is already sorted, best connected first. */
function found({ nodes }: Connected, wanted: string): number[] {
  const words = wanted.toLowerCase();
  const isIt = (at: number) => nameOf(nodes[at]).toLowerCase().includes(words);
  return nodes
    .map((_, at) => at)
    .filter(isIt)
    .slice(0, maxListed);
}

/** The path of a file; the label of every other node, even if it has a path. */
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
    {places.length === 0 && <p class="muted">No node with that name.</p>}
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
          Open note
        </a>
      ) : (
        <a
          class="button"
          href={linkTo('search', '', { q: node.label, file: node.kind === 'file' ? (node.path ?? '') : '' })}
        >
          Search memory for it
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
