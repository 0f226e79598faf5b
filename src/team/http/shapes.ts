import { z } from 'zod';

/** A project's or a memory's; a project of one's own machine is the same number without dashes. */
const anyUuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

export const uuidShape = z
  .string()
  .regex(anyUuid)
  .transform((text) => {
    const hex = text.toLowerCase().replaceAll('-', '');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  });

/** As text; whatever is longer is not about a memory but one itself. */
const maxMetadataLength = 64_000;
export const metadataShape = z
  .record(z.string().max(200), z.unknown())
  .refine(
    (given) => JSON.stringify(given).length <= maxMetadataLength,
    `at most ${maxMetadataLength} characters`,
  )
  .default({});
