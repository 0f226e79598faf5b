import { AppError } from '../base/errors.ts';
import { requirePerson } from '../domain/caller.ts';
import type { Knowledge } from '../domain/knowledge.ts';
import { createWorktreeFiles } from '../git/worktree-files.ts';
import { buildKnowledge } from '../knowledge/build-knowledge.ts';
import { renderKnowledge } from '../knowledge/render-knowledge.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { projectRedactor } from '../memory/redact/project-redactor.ts';
import {
  formatKnowledge,
  knowledgePath,
  readKnowledgeFiles,
  writeKnowledge,
} from '../store/repo/knowledge-file.ts';
import { readInside } from '../store/repo/repo-folder.ts';
import { type App, type Command, isSet, type Outcome } from './command.ts';
import { repositoryRoot } from './share.ts';
import { readRepository } from './share-trust.ts';

const sending = 'Sending knowledge to your team';

export const knowledgeCommand: Command = {
  name: 'knowledge',
  usage: 'knowledge [build [--dry-run] | sync [--fresh]]',
  summary:
    "Show the project's commands, folders and key files. `build` gathers them from its files, `sync` sends them to your team.",
  group: 'Code',
  options: {
    'dry-run': { type: 'boolean', about: 'Show what would be done, without doing it.' },
    fresh: { type: 'boolean', about: 'Gather it from the files now, without writing the knowledge file.' },
  },
  // With --fresh, `sync` checks it itself: a drain repeats what the user sent before if the team asks for it.
  needsPerson: ({ positionals: [action], values: { fresh } }) =>
    action === 'sync' && fresh !== true ? sending : undefined,
  async run(app, args) {
    const [action] = args.positionals;
    if (action === 'build') return build(app, isSet(args, 'dry-run'));
    if (action === 'sync') return sync(app, isSet(args, 'fresh'));
    if (action === undefined) return show(app);
    throw new AppError('INVALID_ARGUMENT', `unknown action: ${action}; use build or sync`, {
      hint: 'backstory knowledge build',
    });
  },
};

function show(app: App): Outcome {
  const files = readKnowledgeFiles(app.place().root);
  const text = files.map(({ knowledge }) => renderKnowledge(knowledge, app.style.bold)).join('\n\n');
  return {
    value: files,
    text:
      files.length === 0
        ? 'No knowledge has been gathered yet. To gather it: backstory knowledge build'
        : text,
    exitCode: files.length === 0 ? 1 : 0,
  };
}

/** Whether the team asks for knowledge that the user has sent before. */
async function isRequestedAgain({ paths, project }: OpenProject): Promise<boolean> {
  const [{ membershipOf }, { readState }] = await Promise.all([
    import('../remote/membership.ts'),
    import('../remote/sync-state.ts'),
  ]);
  return (
    membershipOf(paths, project)?.bringsKnowledge === true &&
    readState(paths.project(project).teamSync).wantsKnowledge === true
  );
}

/**
 * Sends the knowledge of the project's files to the team. With `isFresh`, it is collected again from the project's
 * files instead of read from `.backstory/knowledge.json`, and that file stays unchanged.
 */
async function sync(app: App, isFresh: boolean): Promise<Outcome> {
  app.ensureActive();
  const root = repositoryRoot(app);
  const place = app.place();
  const parts = app.open(place.project);
  if (isFresh && !(await isRequestedAgain(parts))) requirePerson(app.caller(), sending);
  const knowledge = isFresh ? await gatherKnowledge(app, root) : readKnowledgeFiles(root)[0]?.knowledge;
  if (knowledge === undefined)
    throw new AppError('NOT_FOUND', `there is no ${knowledgePath} yet`, {
      hint: 'backstory knowledge build',
    });
  const { sendKnowledge } = await import('../remote/knowledge.ts');
  const redactor = projectRedactor(parts);
  const done = await sendKnowledge({ paths: app.paths, redactor }, place.project, knowledge);
  const { kept, changed, removed, url, name } = done;
  return {
    value: { url, name, kept, changed, removed },
    text:
      changed + removed === 0
        ? `${name} is up to date.`
        : `${name} has ${kept} facts about this project: ${changed} new or changed, ${removed} removed.`,
  };
}

async function gatherKnowledge(app: App, root: string): Promise<Knowledge> {
  const place = app.place();
  const { paths } = await createWorktreeFiles(root).list();
  const code = await app.openCode();
  try {
    const written = readKnowledgeFiles(root).find(({ path }) => path === knowledgePath)?.knowledge;
    return await buildKnowledge({ root, name: place.name, paths, code, written });
  } finally {
    await code.close();
  }
}

async function build(app: App, isDry: boolean): Promise<Outcome> {
  const root = repositoryRoot(app);
  const parts = app.open();
  const knowledge = projectRedactor(parts).redactDeep(await gatherKnowledge(app, root));
  const shown = renderKnowledge(knowledge, app.style.bold);
  if (isDry) return { value: knowledge, text: shown };
  const isSame = readInside(root, knowledgePath) === formatKnowledge(knowledge);
  if (!isSame) writeKnowledge(root, knowledge);
  const waiting = app.activation().on ? await readRepository(app, parts, root) : 0;
  const remark = [
    isSame ? `${knowledgePath} is up to date.` : `Wrote ${knowledgePath}.`,
    ...(waiting === 0 ? [] : ['Recall finds it now. To include it in new sessions: backstory share --trust']),
  ].join(' ');
  return {
    value: { path: knowledgePath, isSame, waiting, knowledge },
    text: `${shown}\n\n${app.style.dim(remark)}`,
  };
}
