import type { z } from 'zod';
import { anyField, type Encoding } from '../encode-answer.ts';

/** Finds the fields that `time` and `kebab` of fields.ts describe. Undefined if there are none. */
export function encodingOf(schema: z.core.$ZodType): Encoding | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'pipe':
      return (def.in as z.core.$ZodTypes)._zod.def.type === 'enum' ? 'kebab' : 'time';
    case 'optional':
    case 'nullable':
      return encodingOf(def.innerType);
    case 'array':
      return encodingOf(def.element);
    case 'tuple':
      return merged(def.items);
    case 'union':
      return merged(def.options);
    case 'record':
      return ofFields([[anyField, def.valueType]]);
    case 'object':
      return ofFields(Object.entries(def.shape));
    default:
      return undefined;
  }
}

function ofFields(fields: [string, z.core.$ZodType][]): Encoding | undefined {
  const encoded = fields.flatMap(([name, field]) => {
    const encoding = encodingOf(field);
    return encoding === undefined ? [] : [[name, encoding] as const];
  });
  return encoded.length === 0 ? undefined : Object.fromEntries(encoded);
}

/** Alternatives share one encoding: a value has the fields of one of them, and others are not there to be converted. */
const merged = (schemas: readonly z.core.$ZodType[]): Encoding | undefined =>
  schemas.map(encodingOf).reduce(both, undefined);

function both(one: Encoding | undefined, other: Encoding | undefined): Encoding | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  if (typeof one === 'string' || typeof other === 'string') {
    if (one !== other) throw new Error('alternatives of an answer encode the same field differently');
    return one;
  }
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(names.map((name) => [name, both(one[name], other[name]) as Encoding]));
}
