import { z } from 'zod';
import type { RouteShape } from '../api/route.ts';
import { projectShape } from '../api/shapes.ts';
import type { Caller } from '../domain/caller.ts';
import { type HttpParts, projectFor, type RequestedProject } from './parts.ts';

/**
 * Every route that changes something declares whether only a person may call it. `needsPerson` names the action, as in
 * "Pinning a note". It is false only for routes that neither approve or remove memory nor weaken a protection.
 */
type Access =
  | { method: 'GET'; needsPerson?: undefined }
  | { method: 'POST' | 'PATCH' | 'DELETE'; needsPerson: string | false };

export type Route = Omit<RouteShape, 'method'> &
  Access & {
    answer(parts: HttpParts, input: Record<string, unknown>, caller: Caller): Promise<unknown>;
  };

type Definition<Of, Params, Input, Answer extends z.ZodType> = Omit<
  RouteShape,
  'method' | 'params' | 'answers' | 'location'
> &
  (Access | { method?: undefined; needsPerson?: undefined }) & {
    params: Params;
    answers: Answer;
    location?(answer: z.output<Answer>): string;
    answer(of: Of, input: Input, caller: Caller): Promise<z.output<Answer>>;
  };

/** Types the parameters and the result of `answer` by the schemas. The method is GET if none is given. */
export const route = <Params extends z.ZodObject, Answer extends z.ZodType>(
  definition: Definition<HttpParts, Params, z.output<Params>, Answer>,
): Route => ({ method: 'GET', ...definition }) as unknown as Route;

/** A route that works on one project. Its parameter `project` names it. */
export const projectRoute = <Shape extends z.ZodRawShape, Answer extends z.ZodType>({
  params,
  answer,
  ...about
}: Definition<RequestedProject, Shape, z.output<z.ZodObject<Shape>>, Answer>): Route =>
  route({
    ...about,
    params: z.object({ ...projectShape, ...params }),
    answer: (http, { project, ...input }, caller) =>
      answer(projectFor(http, project as string | undefined), input as z.output<z.ZodObject<Shape>>, caller),
  } as Definition<HttpParts, z.ZodObject, Record<string, unknown>, Answer>);
