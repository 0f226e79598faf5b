import { useState } from 'preact/hooks';
import type { WorkedFile } from '../../src/wire/answers/file-page.ts';
import { api } from '../api.ts';
import { fileLink } from '../parts/file-link.ts';
import { FileName } from '../parts/file-name.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { NextSteps } from '../parts/next-steps.tsx';
import { counted, grouped } from '../parts/numbers.ts';
import { PageHead } from '../parts/page-head.tsx';
import { Loaded } from '../parts/states.tsx';
import { Age } from '../parts/time.tsx';
import { chosenProject } from '../project.ts';
import { useResource } from '../resource.ts';
import { type Folder, treeOf } from './tree.ts';

/** Finds a file by parts of its path. Before anything is typed, it shows a tree of what agents worked on. */
export function Finder() {
  const [query, setQuery] = useState('');
  const words = query.trim();
  return (
    <>
      <PageHead title="Files" lead="Why is this code as it is?" />
      <label class="finder">
        <span class="unseen">Part of a path</span>
        <input
          type="search"
          placeholder="Part of a path"
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
          onKeyDown={({ key }) => {
            if (key === 'Enter') document.querySelector<HTMLElement>('.found a')?.click();
          }}
        />
      </label>
      {words === '' ? <Tree /> : <Found words={words} />}
    </>
  );
}

function Found({ words }: { words: string }) {
  const files = useResource(() => api.files(words, 40), [words, chosenProject.value]);
  return (
    <Loaded of={files}>
      {({ items }) => (
        <ul class="finder-list found">
          {items.map(({ path }) => (
            <li key={path}>
              <FileName path={path} />
            </li>
          ))}
          {items.length === 0 && <li class="muted">No file matches.</li>}
        </ul>
      )}
    </Loaded>
  );
}

function Tree() {
  const files = useResource(() => api.workedFiles(), [chosenProject.value]);
  return (
    <Loaded of={files}>
      {({ items, isCut }) => (
        <>
          <h2 class="finder-title">Worked on by agents</h2>
          <p class="muted tree-words">
            {counted(items.length, 'file')}
            {isCut && ', the latest'}. The bar estimates how many lines match a line that an agent’s edit
            added. The page of a file says who wrote each.
          </p>
          {items.length === 0 && <NextSteps />}
          <FolderRows folder={treeOf(items)} isTop />
        </>
      )}
    </Loaded>
  );
}

/** Only the first level is open at first. */
const FolderRows = ({ folder: { folders, files }, isTop }: { folder: Folder; isTop: boolean }) => (
  <ul class={isTop ? 'finder-list tree' : ''}>
    {folders.map((folder) => (
      <li key={folder.name}>
        <details open={isTop}>
          <summary class="tree-row">
            <Row icon="chevron" name={`${folder.name}/`} of={folder} />
          </summary>
          <FolderRows folder={folder} isTop={false} />
        </details>
      </li>
    ))}
    {files.map((file) => (
      <li key={file.path}>
        <a class="tree-row" href={fileLink(file.path)}>
          <Row icon="file" name={file.path.split('/').at(-1) ?? ''} of={file} />
        </a>
      </li>
    ))}
  </ul>
);

const Row = ({ icon, name, of }: { icon: IconName; name: string; of: Omit<WorkedFile, 'path'> }) => {
  const share = `${Math.ceil((100 * of.agentLines) / Math.max(1, of.lines))}%`;
  return (
    <>
      <Icon name={icon} />
      <code class="cut">{name}</code>
      <Count icon="decision" count={of.decisions} what="decision" />
      <Count icon="undo" count={of.failures} what="failed attempt" />
      <span
        class="tree-share"
        style={{ visibility: of.agentLines === 0 ? 'hidden' : 'visible' }}
        title={`${grouped(of.agentLines)} of ${counted(of.lines, 'line')} with words match a line that an agent’s edit added`}
      >
        <span class="unseen">match agents’ edits: </span>
        <span class="tree-bar" aria-hidden="true">
          <span style={{ width: share }} />
        </span>
        {share}
      </span>
      <span class="tree-age">
        <Age at={of.at} />
      </span>
    </>
  );
};

const Count = ({ icon, count, what }: { icon: IconName; count: number; what: string }) => (
  <span class="tree-count" title={count === 0 ? undefined : counted(count, what)}>
    {count > 0 && <Icon name={icon} />} {count > 0 && count}
  </span>
);
