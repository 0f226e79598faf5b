import { useRef, useState } from 'preact/hooks';
import { type GraphKind, type GraphNode, type Neighbourhood, noteOf, pathOf } from '../graph/graph-answer.ts';
import { Lines } from '../graph/lines.tsx';
import { fileLink } from '../parts/file-link.ts';
import { FileName, hasFilePages } from '../parts/file-name.tsx';
import { graphLink } from '../parts/hit-link.ts';
import { MemoryLine } from '../parts/memory-text.tsx';
import { counted, grouped } from '../parts/numbers.ts';
import { Empty, Loaded } from '../parts/states.tsx';
import { useTitle } from '../parts/use-title.ts';
import { chosenProject } from '../project.ts';
import { useResource } from '../resource.ts';
import { linkTo, replace, route } from '../router.ts';

/** Where the graph comes from: the local server or a team server. `limit` is the number of nodes of each kind. */
export interface GraphSource {
  around(node: string, limit: number): Promise<Neighbourhood>;
  find(words: string, limit: number): Promise<Neighbourhood>;
}

const firstNodes = 12;
const allNodes = 500;

/** One file, symbol or topic with everything that is connected to it. */
export function GraphPage({ source }: { source: GraphSource }) {
  const { query } = route.value;
  const node = query.get('node') ?? '';
  const words = query.get('find') ?? '';
  return (
    <>
      <header class="page-head">
        <div>
          <h1>Graph</h1>
          <p class="lead">What is connected to a file, a symbol or a topic?</p>
        </div>
        <input
          type="search"
          class="graph-find"
          aria-label="Find a file or topic"
          placeholder="Find a file or topic"
          value={words}
          onInput={(event) => replace(linkTo('graph', '', { node, find: event.currentTarget.value }))}
        />
      </header>
      {words !== '' || node === '' ? (
        <Found source={source} words={words} />
      ) : (
        <Around key={node} source={source} node={node} />
      )}
    </>
  );
}

const kindNames: Record<GraphKind, string> = {
  decision: 'Decisions and rules',
  note: 'Other notes',
  file: 'Files',
  symbol: 'Symbols',
  issue: 'Issues',
  concept: 'Concepts',
};
/** Notes are left of the node, and what they are about is right of it. */
const leftKinds: GraphKind[] = ['decision', 'note'];
const rightKinds: GraphKind[] = ['file', 'symbol', 'issue', 'concept'];

function Found({ source, words }: { source: GraphSource; words: string }) {
  const found = useResource(() => source.find(words, firstNodes), [chosenProject.value, words]);
  return (
    <Loaded of={found}>
      {({ nodes, totals }) =>
        nodes.length === 0 ? (
          <Empty
            icon="graph"
            title={words === '' ? 'No note is linked to code yet' : 'Nothing has that name'}
          >
            <p>
              {words === ''
                ? 'Notes about files appear here together with the files.'
                : 'Try a part of a path, or other words of the title.'}
            </p>
          </Empty>
        ) : (
          <>
            <p class="muted">
              {words === '' ? 'The best connected. Choose one to see its neighbourhood.' : 'Choose one.'}
            </p>
            <div class="graph-found">
              {[...rightKinds, ...leftKinds].map((kind) => (
                <Group key={kind} kind={kind} nodes={nodes} total={totals[kind] ?? 0} relationOf={() => ''} />
              ))}
            </div>
          </>
        )
      }
    </Loaded>
  );
}

function Around({ source, node }: { source: GraphSource; node: string }) {
  const [limit, setLimit] = useState(firstNodes);
  const answer = useResource(() => source.around(node, limit), [chosenProject.value, node], [limit]);
  return (
    <Loaded of={answer}>
      {(value) =>
        value.centre === undefined ? (
          <Empty icon="graph" title="Nothing is connected to it">
            <p>No note is about it, and no captured session changed it.</p>
          </Empty>
        ) : (
          <>
            {value.isPartial && <p class="muted">Only the newest memories were looked at.</p>}
            <Picture of={value} centre={value.centre} />
            {value.truncated && limit < allNodes && (
              <button type="button" class="more" onClick={() => setLimit(allNodes)}>
                Show all
              </button>
            )}
          </>
        )
      }
    </Loaded>
  );
}

function Picture({ of: { nodes, edges, totals }, centre }: { of: Neighbourhood; centre: GraphNode }) {
  useTitle(nameOf(centre));
  const box = useRef<HTMLDivElement>(null);
  const [pointed, point] = useState<string | undefined>(undefined);
  const relationOf = ({ id }: GraphNode): string => relationIn(edges, centre.id, id);
  const idAt = (target: EventTarget | null): string | undefined =>
    (target as Element | null)?.closest<HTMLElement>('[data-node-id]')?.dataset.nodeId;
  const has = (kinds: GraphKind[]): boolean => nodes.some(({ kind }) => kinds.includes(kind));
  const groups = (kinds: GraphKind[]) =>
    kinds.map((kind) => (
      <Group key={kind} kind={kind} nodes={nodes} total={totals[kind] ?? 0} relationOf={relationOf} />
    ));
  return (
    <div
      class="neighbours"
      data-sides={[leftKinds, rightKinds].filter(has).length}
      ref={box}
      onPointerOver={(event) => point(idAt(event.target))}
      onPointerLeave={() => point(undefined)}
      onFocusIn={(event) => point(idAt(event.target))}
      onFocusOut={() => point(undefined)}
    >
      <Lines
        box={box}
        edges={edges}
        centre={centre.id}
        pointed={pointed === centre.id ? undefined : pointed}
      />
      {has(leftKinds) && <div class="neighbours-side">{groups(leftKinds)}</div>}
      <Centre node={centre} count={Object.values(totals).reduce<number>((sum, one) => sum + (one ?? 0), 0)} />
      {has(rightKinds) && <div class="neighbours-side">{groups(rightKinds)}</div>}
    </div>
  );
}

const words: Record<string, [string, string]> = {
  about: ['', ''],
  mentions: ['mentions it', 'mentioned'],
  'defined-in': ['defined here', 'defines it'],
  'drawn-from': ['made from this', 'source'],
};

/** How a neighbour is connected to the centre. */
function relationIn(edges: Neighbourhood['edges'], centre: string, id: string): string {
  const edge = edges.find(({ from, to }) => (from === id && to === centre) || (from === centre && to === id));
  if (edge === undefined) return '';
  if (edge.kind === 'changed-together' && 'weight' in edge)
    return `changed with it in ${counted(edge.weight ?? 1, 'session')}`;
  return words[edge.kind]?.[edge.from === id ? 0 : 1] ?? '';
}

/** The path of a file; the label of every other node, even if it has a path. */
const nameOf = (node: GraphNode): string => (node.kind === 'file' ? node.path : node.label);

interface GroupProps {
  kind: GraphKind;
  nodes: GraphNode[];
  total: number;
  relationOf(node: GraphNode): string;
}

function Group({ kind, nodes, total, relationOf }: GroupProps) {
  const own = nodes.filter((node) => node.kind === kind);
  if (own.length === 0) return null;
  return (
    <section class="node-group">
      <h2>
        {kindNames[kind]}{' '}
        <span class="muted">
          {own.length < total ? `the first ${grouped(own.length)} of ${grouped(total)}` : grouped(total)}
        </span>
      </h2>
      <ul>
        {own.map((node) => (
          <li key={node.id}>
            <a class="node" data-node-id={node.id} href={graphLink(node.id)}>
              <span class="dot" data-node={kind} />
              <span>
                <span class="node-name">
                  {noteOf(node) === '' ? <code>{nameOf(node)}</code> : <MemoryLine text={node.label} />}
                </span>
                {relationOf(node) !== '' && <span class="relation"> {relationOf(node)}</span>}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

const Centre = ({ node, count }: { node: GraphNode; count: number }) => (
  <section class="centre-node" data-node-id={node.id} aria-label="The chosen node">
    <p class="muted">
      <span class="dot" data-node={node.kind} /> {kindWords[node.kind]}, {counted(count, 'neighbour')}
    </p>
    <h2>
      <MemoryLine text={nameOf(node)} />
    </h2>
    {node.kind === 'symbol' && (
      <p>
        in <FileName path={node.path} line={node.line} />
      </p>
    )}
    <p class="centre-links">
      {node.kind === 'file' && hasFilePages.value && (
        <a class="button" href={fileLink(node.path)}>
          Open file
        </a>
      )}
      {noteOf(node) !== '' ? (
        <a class="button" href={linkTo('note', noteOf(node))}>
          Open note
        </a>
      ) : (
        <a
          class="button"
          href={linkTo(
            'search',
            '',
            node.kind === 'file' ? { file: node.path } : { q: node.label, file: pathOf(node) },
          )}
        >
          Search memory
        </a>
      )}
    </p>
  </section>
);

const kindWords: Record<GraphKind, string> = {
  decision: 'A decision or rule',
  note: 'A note',
  file: 'A file',
  symbol: 'A symbol',
  issue: 'An issue',
  concept: 'A concept',
};
