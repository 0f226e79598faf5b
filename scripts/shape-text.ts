import { z } from 'zod';

export interface Schema {
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema | false;
  prefixItems?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  $ref?: string;
  $defs?: Record<string, Schema>;
}

/** A schema in one line: names of fields, and types only where they are named schemas, lists or objects. */
export function outlineOf(shape: z.ZodType): string {
  // In a property, because a named schema is written out where it is the root.
  const { properties } = z.toJSONSchema(z.object({ shape }), { io: 'input' }) as Schema;
  return outline(properties?.shape ?? {});
}

function outline(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) as string;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined)
    return [...new Set(choices.map(outline))].filter((one) => one !== '').join(' | ');
  if (schema.type === 'array') return `${outline(schema.items || {})}[]`;
  if (schema.properties === undefined) return '';
  const fields = Object.entries(schema.properties).map(([name, field]) => {
    const type = outline(field);
    const separator = type === '' || type === '[]' ? '' : ': ';
    return `${name}${schema.required?.includes(name) === true ? '' : '?'}${separator}${type}`;
  });
  return `{ ${fields.join(', ')} }`;
}

/** How the field of an object is written. */
export type FieldStyle = (field: {
  name: string;
  type: string;
  isRequired: boolean;
  description: string | undefined;
  indent: string;
}) => string;

/** A JSON schema as a TypeScript type. */
export function typeText(schema: Schema, style: FieldStyle, indent = ''): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) as string;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined)
    return [...new Set(choices.map((each) => typeText(each, style, indent)))].join(' | ');
  if (Array.isArray(schema.type)) {
    const { type, ...rest } = schema;
    return type.map((each) => typeText({ ...rest, type: each }, style, indent)).join(' | ');
  }
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.prefixItems !== undefined)
    return `[${schema.prefixItems.map((each) => typeText(each, style, indent)).join(', ')}]`;
  if (schema.type === 'array') {
    const items = schema.items || {};
    const item = typeText(items, style, indent);
    const isUnion = (items.anyOf ?? items.oneOf ?? items.enum ?? []).length > 1;
    return isUnion ? `(${item})[]` : `${item}[]`;
  }
  if (schema.properties !== undefined) {
    const deeper = `${indent}  `;
    const fields = Object.entries(schema.properties).map(([name, field]) =>
      style({
        name,
        type: typeText(field, style, deeper),
        isRequired: schema.required?.includes(name) === true,
        description: field.description,
        indent: deeper,
      }),
    );
    const others =
      typeof schema.additionalProperties === 'object' ? [`${deeper}[name: string]: unknown`] : [];
    return `{\n${[...fields, ...others].join('\n')}\n${indent}}`;
  }
  if (schema.type === 'object') {
    const value = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
    return `Record<string, ${typeText(value, style, indent)}>`;
  }
  if (schema.type === 'integer') return 'number';
  return typeof schema.type === 'string' ? schema.type : 'unknown';
}
