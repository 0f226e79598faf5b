import { join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { type Config, readOverrides, resolveConfig } from '../base/config.ts';
import { AppError } from '../base/errors.ts';
import type { HomePaths } from '../base/paths.ts';
import { findOnPath } from '../cli/find-program.ts';
import { defaultKeyVariables, parseChoice, writerPrograms } from '../domain/writer-choice.ts';
import type { Write, Writer } from '../models/write.ts';
import { priceOf } from '../spend/budget.ts';
import { createGovernor } from '../spend/governor.ts';
import type { Ledger } from '../spend/ledger.ts';
import { tryWriterLock } from '../store/sqlite/writer-lock.ts';
import { programFolder } from './package.ts';

interface WriterPlaces {
  paths: HomePaths;
  ledger: Ledger;
  codexFolder: string;
}

const { env } = process;

const callMs = 90_000;

/** The model that the user chose, behind the governor, which enforces the spending caps. */
export function chooseWriter(config: Config, places: WriterPlaces): Write | undefined {
  const { paths, ledger } = places;
  // This process may itself run inside a model call of Backstory. It must not start another one.
  if (config.write === 'off' || env.BACKSTORY_INTERNAL === '1' || env.BACKSTORY_OFF === '1') return undefined;
  return async (request, signal) => {
    const writer = await connect(config, places);
    // The spending caps apply to all projects together, so project settings cannot change them.
    const caps = resolveConfig(readOverrides(paths.config));
    const govern = createGovernor({
      writer,
      ledger,
      tryLock: () => tryWriterLock(paths.modelCallLock),
      caps,
      price: priceOf(config.writer.price, writer.provider).price,
      callMs,
      clock: systemClock,
    });
    return govern(request, signal);
  };
}

async function connect(config: Config, places: WriterPlaces): Promise<Writer> {
  const choice = parseChoice(config.write);
  if (choice === undefined)
    throw new AppError('CONFIG_UNREADABLE', `unknown model: ${config.write}`, { hint: 'backstory models' });
  const { provider, model } = choice;
  const { paths, codexFolder } = places;
  const { url, key: variable, program: path } = config.writer;
  const key = env[variable ?? defaultKeyVariables[provider] ?? ''];
  const program = writerPrograms[provider] ?? '';
  const server = {
    model,
    ...(url === undefined ? {} : { url }),
    ...(key === undefined || key === '' ? {} : { key }),
  };
  const guard = join(programFolder, 'guard-call.js');
  const runner = { node: process.execPath, guard, folder: paths.modelCallFolder, env };
  const own = { model, program: path ?? findOnPath(program, env.PATH ?? '') ?? program };
  switch (provider) {
    case 'claude':
      return (await import('../models/claude-write.ts')).connectClaude(runner, own);
    case 'codex':
      return (await import('../models/codex-write.ts')).connectCodex(runner, { ...own, codexFolder });
    case 'cursor':
      return (await import('../models/cursor-write.ts')).connectCursor(runner, own);
    case 'gemini':
      return (await import('../models/gemini-write.ts')).connectGemini(runner, own);
    case 'ollama':
      return (await import('../models/http-write.ts')).connectOllamaWriter(server);
    case 'openai':
      return (await import('../models/http-write.ts')).connectOpenAiWriter(server);
    case 'anthropic':
      return (await import('../models/http-write.ts')).connectAnthropicWriter(server);
  }
}
