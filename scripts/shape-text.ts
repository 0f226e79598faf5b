import { z } from 'zod';

interface Schema {
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  prefixItems?: Schema[];
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
}

/** Renders a schema in TypeScript notation, with descriptions as comments. */
export const shapeText = (shape: z.ZodType): string => render(z.toJSONSchema(shape) as Schema, '');

function render(schema: Schema, indent: string): string {
  if (schema.anyOf !== undefined) return schema.anyOf.map((each) => render(each, indent)).join(' | ');
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.prefixItems !== undefined)
    return `[${schema.prefixItems.map((each) => render(each, indent)).join(', ')}]`;
  if (schema.items !== undefined) {
    const item = render(schema.items, indent);
    return item.includes(' | ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
  }
  if (schema.properties !== undefined) {
    const deeper = `${indent}  `;
    const fields = Object.entries(schema.properties).map(([name, field]) => {
      const isRequired = schema.required?.includes(name) === true;
      const meaning = field.description === undefined ? '' : `  // ${field.description}`;
      return `${deeper}${name}${isRequired ? '' : '?'}: ${render(field, deeper)}${meaning}`;
    });
    return `{\n${fields.join('\n')}\n${indent}}`;
  }
  if (schema.type === 'object') {
    const value = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
    return `{ [name]: ${render(value, indent)} }`;
  }
  return typeof schema.type === 'string' ? schema.type : 'any';
}
