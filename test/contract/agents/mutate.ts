/** Changes something in a record, as a later version, a torn write or an attacker might. */
export function mutate(value: unknown, random: () => number): unknown {
  const depth = Math.floor(random() * 6);
  return change(structuredClone(value), depth, random);
}

function change(value: unknown, depth: number, random: () => number): unknown {
  if (depth === 0 || typeof value !== 'object' || value === null) return strange(value, random);
  const keys = Object.keys(value);
  const key = keys[Math.floor(random() * keys.length)];
  if (key === undefined) return strange(value, random);
  const holder = value as Record<string, unknown>;
  const kind = random();
  // JSON has no holes, so an element is taken out of its list.
  if (kind < 0.15 && Array.isArray(value)) value.splice(Number(key), 1);
  else if (kind < 0.15) delete holder[key];
  else if (kind < 0.2) holder[`${key}\u0000`] = holder[key];
  else holder[key] = change(holder[key], depth - 1, random);
  return value;
}

const strangers: unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  Number.MAX_SAFE_INTEGER,
  '',
  'brand-new',
  '\ud800',
  '../../../../etc/passwd',
  'C:\\x\0y',
  [],
  [null],
  [[]],
  {},
  { type: 'brand-new' },
  { text: { text: {} } },
  '@@ -99999999999999999999,1 +1 @@\n+x',
  '*** Begin Patch\n*** Update File: \n@@\n+\n*** Move to: ',
];

function strange(value: unknown, random: () => number): unknown {
  if (typeof value === 'string' && random() < 0.3) return value.slice(0, Math.floor(random() * value.length));
  if (typeof value === 'string' && random() < 0.1) return value.repeat(50);
  return strangers[Math.floor(random() * strangers.length)];
}

/** Random numbers in [0, 1) that are repeatable by seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
