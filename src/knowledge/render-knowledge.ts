import type { Knowledge } from '../domain/knowledge.ts';
import { harmless } from '../text/fence.ts';

/** Renders knowledge as text for people. */
export function renderKnowledge(knowledge: Knowledge, bold: (text: string) => string): string {
  const { project, summary, commands, architecture, keyFiles, conventions } = knowledge;
  const width = Math.max(0, ...keyFiles.map(({ path }) => path.length));
  const parts = [
    [bold(project), ...(summary === '' ? [] : [summary])],
    section(
      bold('Commands'),
      commands.map(({ purpose, run, source }) => `${purpose.padEnd(8)} ${run}  (${source})`),
    ),
    ...architecture.map(({ title, text, source }) => [
      `${bold(title)}${source === '' ? '' : `  (${source})`}`,
      text,
    ]),
    section(
      bold('Key files'),
      keyFiles.map(
        ({ path, why, symbols }) =>
          `${path.padEnd(width)}  ${why}${symbols.length === 0 ? '' : `: ${symbols.join(', ')}`}`,
      ),
    ),
    ...conventions.map(({ source, rules }) =>
      section(
        `${bold('Conventions')}  (${source})`,
        rules.map((rule) => `- ${rule}`),
      ),
    ),
  ];
  return harmless(
    parts
      .filter((lines) => lines.length > 0)
      .map((lines) => lines.join('\n'))
      .join('\n\n'),
  );
}

const section = (title: string, lines: string[]): string[] => (lines.length === 0 ? [] : [title, ...lines]);
