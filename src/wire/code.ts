import { z } from 'zod';
import { defaultBudgetTokens, defaultMaxFiles, minBudgetTokens } from '../pack/context-pack.ts';
import { intents } from '../pack/rank-files.ts';
import { searchModes } from '../pack/search-code.ts';
import { defaultLimit, limitCap } from '../recall/hit.ts';
import { wordings } from './recall-request.ts';

const pageShape = {
  limit: z.number().int().min(1).max(limitCap).default(defaultLimit),
  cursor: z.string().optional(),
};

export const contentSearchShape = {
  query: z.string().min(1).max(4_000),
  wordings,
  mode: z.enum(searchModes).optional(),
  path: z.string().optional().describe('Part or glob'),
  ignore_case: z.boolean().optional(),
  whole_word: z.boolean().optional(),
  ...pageShape,
};

export const fileSearchShape = {
  query: z.string().min(1).max(1_000).describe('Path parts, or a glob'),
  ...pageShape,
};

export const outlineShape = { path: z.string().min(1).max(1_000) };

export const symbolShape = (meaning: string) => ({
  name: z.string().min(1).max(400).describe(meaning),
  path: z.string().optional().describe('Glob or part of the path'),
  ...pageShape,
});

export const definedName = 'name, Class.method, pkg.Func or mod::f';
export const usedName = 'Only the last part of a qualified name is used';

export const packShape = {
  goal: z.string().min(1).max(20_000),
  wordings,
  intent: z.enum(intents).default('bugfix'),
  budget_tokens: z.number().int().min(minBudgetTokens).default(defaultBudgetTokens),
  max_files: z.number().int().min(1).default(defaultMaxFiles),
  changed_files: z.array(z.string().max(1_000)).max(500).optional(),
};

export const whyShape = {
  target: z.string().min(1).max(4_000).describe('FILE, FILE:LINE, FILE:FROM-TO, FILE:SYMBOL or a symbol'),
};
