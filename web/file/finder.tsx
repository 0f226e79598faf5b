import { useState } from 'preact/hooks';
import { api } from '../api.ts';
import { FileName } from '../parts/file-name.tsx';
import { NextSteps } from '../parts/next-steps.tsx';
import { Loaded } from '../parts/states.tsx';
import { chosenProject } from '../project.ts';
import { useResource } from '../resource.ts';

const maxFiles = 40;

/** Finds a file by parts of its path. Before anything is typed, it lists what sessions changed last. */
export function Finder() {
  const [query, setQuery] = useState('');
  const words = query.trim();
  const files = useResource(
    () => (words === '' ? recentFiles() : api.files(words, maxFiles)),
    [words, chosenProject.value],
  );
  return (
    <>
      <header class="page-head">
        <div>
          <h1>Files</h1>
          <p class="lead">Why is this code as it is?</p>
        </div>
      </header>
      <label class="finder">
        <span class="unseen">Part of a path</span>
        <input
          type="search"
          placeholder="Part of a path"
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
      </label>
      <Loaded of={files}>
        {(paths) => (
          <>
            <h2 class="finder-title">{words === '' ? 'Changed last by agents' : 'Files'}</h2>
            {paths.length === 0 && <p class="muted">{words === '' ? 'None yet.' : 'No file matches.'}</p>}
            {paths.length === 0 && <NextSteps />}
            <ul class="finder-list">
              {paths.map((path) => (
                <li key={path}>
                  <FileName path={path} />
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </>
  );
}

async function recentFiles(): Promise<string[]> {
  const { items } = await api.timeline({ limit: 30 });
  return [...new Set(items.flatMap(({ files }) => files))].slice(0, maxFiles);
}
