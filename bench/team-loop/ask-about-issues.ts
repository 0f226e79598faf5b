import { createRecall } from '../../src/cmd/hook-recall.ts';
import { shortNoteId } from '../../src/domain/note.ts';
import { writeTeamCache } from '../../src/memory/team-cache.ts';
import { joinTeam } from '../../src/remote/membership.ts';
import type { CachedMemory } from '../../src/wire/answers/team.ts';
import { createMemoryHome } from '../../test/support/memory-home.ts';

/** Issues of one project, and prompts with the number of the issue that each is about, if it is about one. */
export interface IssueSet {
  issues: { number: number; title: string; body: string; author: string; linked: boolean }[];
  prompts: { prompt: string; expected: number | null }[];
}

export interface IssueAnswers {
  /** Prompts about an issue whose session was told that issue, and all of them. */
  right: number;
  about: number;
  /** Prompts whose session was told another issue, of all prompts. */
  wrong: number;
  prompts: number;
  /** Quoted issues of accounts that are linked to nobody, or to the member who is not trusted; and all of them. */
  foreignQuotes: number;
  quotes: number;
}

const team = { url: 'http://127.0.0.1:1', project: 'p', name: 'queue' };
const idOf = (number: number): string => `01990000-0000-7000-8000-${String(number).padStart(12, '0')}`;

/**
 * Asks each prompt as the first of a session on a laptop that has a copy of the issues and reaches no server. The user
 * trusts all authors whose accounts are linked but one.
 */
export async function askAboutIssues(
  { issues, prompts }: IssueSet,
  report: (line: string) => void,
): Promise<IssueAnswers> {
  const home = createMemoryHome();
  try {
    const { project, paths } = home.open();
    const own = paths.project(project);
    const linked = new Set(issues.filter((issue) => issue.linked).map(({ author }) => author));
    const [untrusted, ...trusted] = [...linked];
    joinTeam(paths, project, { v: 1, ...team, trusted: trusted.map((name) => ({ id: name, name })) });
    const memories = issues.map(
      ({ number, title, body, author }): CachedMemory => ({
        id: idOf(number),
        revision: 1,
        source: 'issue',
        sourceRef: `github:1#${number}`,
        kind: 'issue',
        author,
        updated: new Date(Date.UTC(2026, 9, 1) + number * 60_000).toISOString(),
        files: [],
        issues: [`#${number}`],
        about: `acme/queue#${number}`,
        commits: [],
        text: `${title}\n\n${body}`,
      }),
    );
    const writers = issues
      .filter((issue) => issue.linked)
      .map(({ number, author }) => ({ memory: idOf(number), person: author, name: author }));
    writeTeamCache(own.teamMemories, { v: 1, ...team, memories, writers, forgotten: [] });
    home.prompt('Logs rotate every night and stay for a week.');
    await home.drain();
    // A prompt waits one second, which is little on a busy machine. How long it takes is measured elsewhere.
    const now = home.clock.now();
    const recall = createRecall(paths, 'assets/static-en.bin', { now: () => now });
    const answers = { right: 0, about: 0, wrong: 0, prompts: prompts.length, foreignQuotes: 0, quotes: 0 };
    for (const { prompt, expected: issue } of prompts) {
      const question = { project, root: home.work, prompt, agentSession: 'next', told: [], maxTokens: 530 };
      const told = (await recall(question)).text.join('\n').split('\n');
      const isOf = (line: string, number: number): boolean => line.includes(`[${shortNoteId(idOf(number))}]`);
      const found = issues.filter(({ number }) => told.some((line) => isOf(line, number)));
      const isRight = issue !== null && found.some(({ number }) => number === issue);
      const others = found.filter(({ number }) => number !== issue);
      const quoted = found.filter(({ number }) =>
        told.some((line, at) => isOf(line, number) && told[at + 1]?.startsWith('  > ') === true),
      );
      answers.about += issue === null ? 0 : 1;
      answers.right += isRight ? 1 : 0;
      answers.wrong += others.length > 0 ? 1 : 0;
      answers.quotes += quoted.length;
      answers.foreignQuotes += quoted.filter(
        ({ linked: isLinked, author }) => !isLinked || author === untrusted,
      ).length;
      if ((issue !== null && !isRight) || others.length > 0)
        report(
          `${issue ?? 'none'} ≠ ${found.map(({ number }) => number).join(', ') || 'nothing'}: ${prompt}`,
        );
    }
    return answers;
  } finally {
    home.remove();
  }
}
