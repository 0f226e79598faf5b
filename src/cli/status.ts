import { projectConfig } from '../base/config.ts';
import { gapText } from '../memory/capture/record-gap.ts';
import { approvalText } from '../memory/doubtful-approvals.ts';
import { findNextSteps } from '../memory/next-step.ts';
import { statusOf } from '../memory/project-status.ts';
import { type LinkOffer, linkOffer } from '../memory/projects/projects.ts';
import { ageOf } from '../recall/render.ts';
import { openLedger } from '../spend/ledger.ts';
import { summarise } from '../spend/read-spend.ts';
import { attemptsBySession } from '../spend/session-attempts.ts';
import { plural } from '../text/plural.ts';
import type { LogDamage, PromptCounts } from '../wire/answers/project.ts';
import { type App, type Command, isSet } from './command.ts';
import { tokens, usd } from './spend-lines.ts';
import { tokenReport } from './status-tokens.ts';

export const statusCommand: Command = {
  name: 'status',
  usage: 'status [--tokens [--days N]]',
  summary: 'Show whether this project is captured, what is stored, and its size on disk.',
  group: 'Inspect',
  options: {
    tokens: { about: 'Show how many tokens Backstory saved and cost agents.' },
    days: { about: 'With --tokens: number of days to cover.', value: 'N' },
  },
  async run(app, args) {
    if (isSet(args, 'tokens')) return tokenReport(app, args);
    const place = app.place();
    const parts = app.open(place.project);
    const activation = app.activation();
    const model = modelLine(app, place.project);
    const offer = linkOffer(app.paths, place);
    const value = {
      ...(await statusOf(parts, place, activation)),
      ...(offer === undefined
        ? {}
        : { linkOffer: { project: offer.other.id, name: offer.other.name, command: offer.command } }),
      model: model.value,
      next: await findNextSteps(app, parts),
    };
    const { style } = app;
    const total = Object.values(value.events).reduce((sum, count) => sum + count, 0);
    const kinds = Object.entries(value.events).map(([kind, count]) => `${count} ${kind}`);
    const last = Object.entries(value.lastCapture).map(
      ([agent, at]) => `${agent} ${ageOf(at, app.clock.now())}`,
    );
    /** A row without text is not shown. */
    const rows: [name: string, text: string | undefined][] = [
      ['project', `${style.bold(place.name)} ${style.dim(`${place.project.slice(0, 8)}  ${place.root}`)}`],
      ['may be', offer && offerText(offer)],
      ['capture', activation.on ? style.good('on') : style.bad(`off: ${activation.reason}`)],
      [
        'agents',
        value.installs.map(({ agent, scope }) => `${agent} (${scope})`).join(', ') ||
          'none: backstory install claude-code',
      ],
      ['last capture', last.join(', ') || 'nothing yet'],
      ['events', total === 0 ? '0' : `${total}: ${kinds.join(', ')}`],
      ['prompts', promptsLine(value.prompts)],
      [
        'notes',
        [
          value.candidates === 0
            ? String(value.notes)
            : `${value.notes}, of which ${value.candidates} ${value.candidates === 1 ? 'waits' : 'wait'} for review: backstory review`,
          ...unreadLine(value.unreadSessions),
        ].join('; '),
      ],
      ['model', model.text],
      [
        'repository',
        value.untrusted === 0
          ? undefined
          : `${value.untrusted} texts are not trusted: backstory share --trust`,
      ],
      [
        'on disk',
        `events ${formatBytes(value.bytes.events)}, notes ${formatBytes(value.bytes.notes)}, index ${formatBytes(value.bytes.index)}; all projects ${formatBytes(value.bytes.all)}`,
      ],
      ['index', indexLine(value.unindexedBytes, value.bytes.events)],
      ['log', logLine(value.log, style)],
      ['not stored', value.gap && style.bad(gapText(value.gap))],
      ...value.doubtfulApprovals.map((approval): [string, string] => [
        'approvals',
        style.bad(`approved while an agent was working: ${approvalText(approval)}`),
      ]),
      ['failures', value.failures === 0 ? 'none' : `${value.failures}: backstory doctor --logs`],
      ...value.next.map(({ command, reason }, at): [string, string] => [
        at === 0 ? 'next' : 'then',
        `${style.bold(command)} (${reason})`,
      ]),
    ];
    const shown = rows.filter(([, text]) => text !== undefined);
    return { value, text: shown.map(([name, text]) => `${style.dim(name.padEnd(13))} ${text}`).join('\n') };
  },
};

/** Whose words the prompts are. */
const promptsLine = ({ person, unconfirmed, agent }: PromptCounts): string | undefined =>
  [
    ...(person === 0 ? [] : [`${person} yours`]),
    ...(unconfirmed === 0 ? [] : [`${unconfirmed} not confirmed as yours`]),
    ...(agent === 0 ? [] : [`${agent} not typed by a person`]),
  ].join(', ') || undefined;

export const unreadLine = (sessions: number): string[] =>
  sessions === 0 ? [] : [`${plural(sessions, 'session')} not searched for statements yet`];

export const offerText = ({ other, reason, command }: LinkOffer): string =>
  `${other.name} ${other.id.slice(0, 8)}, which ${reason}; if they are one project: ${command}`;

/** After an upgrade the index is built again, a part with each command. Until then the counts are too low. */
const indexLine = (missing: number, total: number): string | undefined =>
  missing === 0
    ? undefined
    : `catching up: so far ${formatBytes(total - missing)} of ${formatBytes(total)} of events are counted`;

/** Names the file and line of the first damage in the event log; `doctor --verify` lists all of it. */
function logLine(log: { damage: LogDamage[]; recoverable: number }, style: App['style']): string {
  const [first] = log.damage;
  if (first === undefined) return 'no damage found';
  const more = log.damage.length === 1 ? '' : ` and ${log.damage.length - 1} more`;
  const offer =
    log.recoverable === 0
      ? 'backstory doctor --verify'
      : `${plural(log.recoverable, 'event')} can be recovered: backstory doctor --verify --recover`;
  return `${style.bad(`damaged: ${first.file}: ${first.detail}${more}`)}; ${offer}`;
}

/** Shown because the model is called, and paid for, in the background. */
function modelLine({ paths, clock, style }: App, project: string) {
  const { write } = projectConfig(paths, project);
  const { attempts } = openLedger(paths.ledger, clock).read();
  const { today, month } = summarise(attempts, clock.now());
  const failed = [...attemptsBySession(attempts, project)].flatMap(([agentSession, session]) =>
    session.failed === undefined ? [] : [{ agentSession, ...session.failed }],
  );
  const spent = `${tokens(today.tokens)} and ${usd(today.usd)} today, ${usd(month.usd)} this month`;
  const text = [
    write === 'off' ? 'none: nothing is sent or spent' : `${write}: ${spent}`,
    ...(write === 'off' && month.calls > 0 ? [`(${usd(month.usd)} this month: backstory models)`] : []),
    ...(failed.length === 0
      ? []
      : [style.bad(`${plural(failed.length, 'session')} failed: backstory learn --retry`)]),
  ];
  return { value: { chosen: write, today, month, failedSessions: failed }, text: text.join('; ') };
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const units = ['KB', 'MB', 'GB'];
  const power = Math.min(units.length, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** power).toFixed(1)} ${units[power - 1]}`;
}
