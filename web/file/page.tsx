import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { FilePage, FileStory } from '../../src/wire/answers/file-page.ts';
import { api } from '../api.ts';
import { useKeys } from '../keys.ts';
import { fileLink } from '../parts/file-link.ts';
import { Icon } from '../parts/icon.tsx';
import { MemoryLine } from '../parts/memory-text.tsx';
import { counted, grouped } from '../parts/numbers.ts';
import { Key, Loaded } from '../parts/states.tsx';
import { Age } from '../parts/time.tsx';
import { useTitle } from '../parts/use-title.ts';
import { chosenProject } from '../project.ts';
import { below, type Resource, useResource } from '../resource.ts';
import { linkTo, replace, route } from '../router.ts';
import { isReturn, keepInView } from '../step.ts';
import { CodeLines, type LineSpan, overlap, useSteadyLines } from './code.tsx';
import { Finder } from './finder.tsx';
import { Margin } from './margin.tsx';
import { Side } from './side.tsx';
import { blocksOf, type Colouring, colourings, type StoryBlock, tonesOf } from './story.ts';

/** Shows a file with the backstory of each line; without a path, a list of files to choose from. */
export function FileBody() {
  const { rest: path, query } = route.value;
  if (path === '') return <Finder />;
  const commit = query.get('commit') ?? '';
  return <OneFile key={JSON.stringify([chosenProject.value, path, commit])} path={path} commit={commit} />;
}

/** Shows the code as soon as it is there. Its backstory takes longer where hundreds of sessions changed the file. */
function OneFile({ path, commit }: { path: string; commit: string }) {
  const page = useResource(() => api.file(path, commit), [path, commit]);
  const story = useResource(() => api.fileStory(path, commit), [path, commit]);
  // The scroll position of a page that was left is that of the whole page.
  const [needsStory] = useState(isReturn);
  return (
    <Loaded of={needsStory ? below(story, page) : page}>
      {(value) => <OpenFile page={value} story={story} />}
    </Loaded>
  );
}

function OpenFile({
  page,
  story: { value: story, failure },
}: {
  page: FilePage;
  story: Resource<FileStory>;
}) {
  const { path, lines, lineCount, commit } = page;
  const name = path.split('/').at(-1) ?? path;
  useTitle(name);
  const blocks = useMemo(() => (story === undefined ? [] : blocksOf(story)), [story]);
  const [colouring, setColouring] = useState<Colouring>(storedColouring);
  const { of: toneOf, legend } = useMemo(() => tonesOf(blocks, colouring), [blocks, colouring]);
  const [opened, setOpened] = useState<StoryBlock>();
  const target = targetOf(route.value.query.get('line'));
  const list = useRef<HTMLDivElement>(null);
  const near = useSteadyLines(list, blocks);
  // Once more for the story, because its blocks move the lines.
  useEffect(() => {
    if (isReturn() || target === undefined) return;
    return keepInView(() => list.current?.querySelector(`[data-line="${target.from}"]`));
  }, [page, story]);
  const step = (by: number) => {
    const at = opened === undefined ? firstBlock() : blocks.indexOf(opened) + by;
    const link = list.current?.querySelectorAll<HTMLElement>('.margin-link')[at];
    link?.focus({ preventScroll: true });
    link?.scrollIntoView({ block: 'nearest' });
    if (link !== undefined) setOpened(blocks[at]);
  };
  const firstBlock = (): number =>
    target === undefined ? firstVisible(list.current) : blocks.findIndex(({ to }) => to >= target.from);
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    c: () => colour(colourings[(colourings.indexOf(colouring) + 1) % colourings.length] as Colouring),
    Escape: () => setOpened(undefined),
  });
  const colour = (by: Colouring) => {
    localStorage.setItem(storageKey, by);
    setColouring(by);
  };
  const folders = path.split('/').slice(0, -1);
  const state = story?.states.find(
    (each) => each.kind === 'commit' && commit !== undefined && each.hash.startsWith(commit),
  );
  const limits = [
    ...(lines.length < lineCount
      ? [
          `The file is too long to show it whole. ${grouped(lines.length)} of ${grouped(lineCount)} lines are shown.`,
        ]
      : []),
    ...(story?.missing ?? []).map((what) => missingWords[what]),
  ];
  return (
    <article class="file">
      <header class="file-head">
        <p class="crumb">
          <a href={linkTo('file')}>Files</a>
          {folders.length > 0 && ` / ${folders.join(' / ')}`}
        </p>
        <h1>
          <code>{name}</code>
        </h1>
        <p class="meta">
          <span>{counted(lineCount, 'line')}</span>
          {story !== undefined && <Known story={story} />}
          <span class="keys-hint">
            <Key of="j" /> <Key of="k" /> next and previous block
          </span>
        </p>
        {commit !== undefined && (
          <p class="callout past-state">
            <Icon name="commit" />
            <span>
              The file as of <code>{commit.slice(0, 8)}</code>
              {state?.kind === 'commit' && (
                <>
                  , <Age at={state.at} />: <MemoryLine text={state.subject} />
                </>
              )}
            </span>
            <a class="button" href={fileLink(path)}>
              Show the file as it is now
            </a>
          </p>
        )}
        {limits.length > 0 && <p class="callout">{limits.join(' ')}</p>}
        {failure !== undefined && (
          <p class="callout" role="alert">
            Its backstory could not be read: {failure.message}
          </p>
        )}
      </header>
      <div class="file-columns">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the mouse; the outline has links. */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above. */}
        <div
          class="file-code"
          ref={list}
          data-colouring={colouring}
          onClick={(event) => chooseLine(event, page)}
        >
          {blocks.map((block) => (
            <div key={block.from} class="block" data-tone={toneOf.get(block)?.tone}>
              <Margin
                block={block}
                path={path}
                isOpen={opened === block}
                onOpen={(isOpen) =>
                  setOpened((before) => (isOpen ? block : before === block ? undefined : before))
                }
              />
              <div class="block-code">
                <CodeLines
                  text={page}
                  span={block}
                  target={overlap(target, block)}
                  near={overlap(near, block)}
                />
              </div>
            </div>
          ))}
          {story === undefined && (
            <div class="block">
              <div class="margin">
                {failure === undefined && (
                  <p class="margin-wait" role="status">
                    Reading its backstory…
                  </p>
                )}
              </div>
              <div class="block-code">
                <CodeLines text={page} span={{ from: 1, to: lines.length }} target={target} />
              </div>
            </div>
          )}
          {lineCount === 0 && <p class="muted">The file is empty.</p>}
        </div>
        <Side page={page} story={story} legend={legend} colouring={colouring} onColour={colour} />
      </div>
    </article>
  );
}

function Known({ story: { origins, notes } }: { story: FileStory }) {
  const sessions = new Set(origins.flatMap(({ session }) => session?.agentSession ?? [])).size;
  return (
    <>
      <span>{sessions === 0 ? 'No agent session known' : counted(sessions, 'agent session')}</span>
      {notes.length > 0 && <span>{counted(notes.length, 'note')}</span>}
    </>
  );
}

const missingWords: Record<FileStory['missing'][number], string> = {
  history: 'Git took too long to list its past states.',
  reasons: 'Only the largest blocks are explained.',
};

const storageKey = 'backstory.colouring';

const storedColouring = (): Colouring =>
  colourings.find((each) => each === localStorage.getItem(storageKey)) ?? 'session';

/** Reads `12` or `12-20`. */
function targetOf(text: string | null): LineSpan | undefined {
  const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(text ?? '') ?? [];
  return first === undefined ? undefined : { from: Number(first), to: Number(last) };
}

/** A click on a line number puts the line into the address. */
function chooseLine(event: MouseEvent, { path, commit }: FilePage): void {
  const line = event.target instanceof Element ? event.target.closest<HTMLElement>('.line') : null;
  if (line === null || event.clientX - line.getBoundingClientRect().left > numberWidth) return;
  replace(fileLink(path, { line: Number(line.dataset.line), commit }));
}

const numberWidth = 48;

/** The first block that is on the screen. */
function firstVisible(list: HTMLElement | null): number {
  const blocks = [...(list?.querySelectorAll('.block') ?? [])];
  return Math.max(
    0,
    blocks.findIndex((block) => block.getBoundingClientRect().bottom > 80),
  );
}
