import { AppError } from '../base/errors.ts';
import type { WorkSession } from '../domain/work-session.ts';
import { briefBudget } from '../handoff/brief.ts';
import type { Ledger } from '../handoff/ledger.ts';
import { findSession, latestHere } from '../handoff/sessions.ts';
import { ledgerOf, type WorkParts } from '../handoff/work-parts.ts';
import { drain } from '../memory/drain.ts';
import type { App, ParsedArgs } from './command.ts';
import { stringOf } from './command.ts';

/**
 * Opens the work sessions (tasks that agents hand over to each other) of this checkout, for `handoff`.
 */
export async function openWork(app: App): Promise<{ work: WorkParts; ledger: Ledger }> {
  const place = app.place();
  const project = app.open(place.project);
  const mayWrite = app.activation().on;
  // Index the agents' transcripts first: the last turns may be only there.
  if (mayWrite) await drain(project);
  const context = app.context(place, mayWrite);
  const work = { project, place, context, isUser: true, mayWrite };
  return { work, ledger: ledgerOf(work) };
}

export function sessionOption(args: ParsedArgs, work: WorkParts, ledger: Ledger): WorkSession {
  const id = stringOf(args, 'session');
  if (id !== undefined) return findSession(ledger, id);
  const latest = latestHere(work, ledger);
  if (latest !== undefined) return latest;
  throw new AppError('NOT_FOUND', 'there is no captured agent session here', {
    hint: 'backstory install claude-code',
  });
}

export function budgetOption(args: ParsedArgs): number {
  const text = stringOf(args, 'budget') ?? String(briefBudget.usual);
  const budget = Number(text);
  if (Number.isInteger(budget) && budget >= briefBudget.least) return Math.min(budget, briefBudget.most);
  throw new AppError('INVALID_ARGUMENT', `--budget must be a number of tokens, not ${text}`, {
    hint: `--budget N, from ${briefBudget.least} to ${briefBudget.most}`,
  });
}
