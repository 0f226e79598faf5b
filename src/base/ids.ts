/** Loads node:crypto on first use, because the hook does not need it and must start fast. */
const crypto = () => process.getBuiltinModule('node:crypto');

export const sha256 = (content: string | Uint8Array): string =>
  crypto().createHash('sha256').update(content).digest('hex');

/** A keyed hash. Without the key, a short text cannot be guessed from it. */
export const keyedHash = (key: string, text: string): string =>
  crypto().createHmac('sha256', key).update(text).digest('hex').slice(0, 32);

export const randomHex = (bytes: number): string => crypto().randomBytes(bytes).toString('hex');

/** Creates a time-ordered id, for notes, snapshots and work sessions. */
export function uuidv7(nowMs: number): string {
  const bytes = crypto().randomBytes(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes[6] = 0x70 | ((bytes[6] as number) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] as number) & 0x3f);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Formats a hash as a UUID of version 8, so that the same content gets the same id. */
export const uuidOf = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
