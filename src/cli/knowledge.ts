import { join } from 'node:path';
import { AppError } from '../base/errors.ts';
import { createWorktreeFiles } from '../git/worktree-files.ts';
import { buildKnowledge } from '../knowledge/build-knowledge.ts';
import { renderKnowledge } from '../knowledge/render-knowledge.ts';
import { projectRedactor } from '../memory/project-redactor.ts';
import {
  formatKnowledge,
  knowledgePath,
  readKnowledgeFiles,
  writeKnowledge,
} from '../store/repo/knowledge-file.ts';
import { readInside } from '../store/repo/repo-folder.ts';
import { type App, type Command, isSet, type Outcome } from './command.ts';
import { repositoryRoot } from './share.ts';
import { followNow } from './trust.ts';

export const knowledgeCommand: Command = {
  name: 'knowledge',
  usage: 'knowledge [build [--dry-run]]',
  summary:
    'What this project is, its commands, key files and conventions; `build` writes them from its files.',
  group: 'Where is it?',
  options: { 'dry-run': { type: 'boolean' } },
  async run(app, given) {
    const [action] = given.positionals;
    if (action === 'build') return build(app, isSet(given, 'dry-run'));
    if (action === undefined) return show(app);
    throw new AppError('INVALID_ARGUMENT', 'knowledge, or knowledge build', {
      hint: 'backstory knowledge build',
    });
  },
};

function show(app: App): Outcome {
  const files = readKnowledgeFiles(app.place().root);
  const text = files.map(({ knowledge }) => renderKnowledge(knowledge, app.style.bold)).join('\n\n');
  return {
    value: files,
    text: files.length === 0 ? 'Nothing was gathered here yet: backstory knowledge build' : text,
    exitCode: files.length === 0 ? 1 : 0,
  };
}

async function build(app: App, isDry: boolean): Promise<Outcome> {
  const root = repositoryRoot(app);
  const place = app.place();
  const folder = app.paths.project(place.project).code(place.checkout);
  const { paths } = await createWorktreeFiles(root, join(folder, 'empty.git')).list();
  const code = await app.openCode();
  try {
    const found = await buildKnowledge({ root, name: place.name, paths, code });
    const parts = app.open({ id: place.project, name: place.name });
    const knowledge = projectRedactor(parts).redactDeep(found);
    const shown = renderKnowledge(knowledge, app.style.bold);
    if (isDry) return { value: knowledge, text: shown };
    const isSame = readInside(root, knowledgePath) === formatKnowledge(knowledge);
    if (!isSame) writeKnowledge(root, knowledge);
    const waiting = app.isActive() ? await followNow(app, parts, root) : 0;
    const remark = [
      isSame ? `${knowledgePath} is up to date.` : `Wrote ${knowledgePath}.`,
      ...(waiting === 0
        ? []
        : [`Recall finds it from now on; \`backstory trust repo\` lets new sessions be told it.`]),
    ].join(' ');
    return {
      value: { path: knowledgePath, isSame, waiting, knowledge },
      text: `${shown}\n\n${app.style.dim(remark)}`,
    };
  } finally {
    await code.close();
  }
}
