import { z } from 'zod';

/** The id of a project or memory. Dashes are optional, because local project ids have none. */
const anyUuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

export const uuidShape = z
  .string()
  .regex(anyUuid)
  .transform((text) => {
    const hex = text.toLowerCase().replaceAll('-', '');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  });
