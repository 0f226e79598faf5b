/**
 * Checks a note against the Git AI Standard, authorship/3.0.0, sections 1.2.2 to 1.2.4. Written from the text of the
 * standard and strict where it says MUST; it shares no code with the writer. Returns what is wrong.
 */
type Fields = Record<string, unknown>;

const isMap = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): boolean => typeof value === 'string';
const isOptionalText = (value: unknown): boolean => value === undefined || isText(value);

export function validateAuthorshipNote(note: string, commit: string): string[] {
  const lines = note.split('\n');
  const at = lines.indexOf('---');
  if (at === -1) return ['1.2.2: there is no divider'];
  let metadata: unknown;
  try {
    metadata = JSON.parse(lines.slice(at + 1).join('\n'));
  } catch {
    return ['1.2.4: the metadata is not JSON'];
  }
  if (!isMap(metadata)) return ['1.2.4: the metadata is not an object'];
  return [...metadataErrors(metadata, commit), ...attestationErrors(lines.slice(0, at), metadata)];
}

function metadataErrors(metadata: Fields, commit: string): string[] {
  const known = ['schema_version', 'base_commit_sha', 'prompts', 'git_ai_version', 'sessions', 'humans'];
  const stats = ['total_additions', 'total_deletions', 'accepted_lines', 'overriden_lines'];
  return [
    ...Object.keys(metadata).flatMap((field) => (known.includes(field) ? [] : [`1.2.4: field ${field}`])),
    ...(metadata.schema_version === 'authorship/3.0.0' ? [] : ['1.2.1: schema_version']),
    ...(metadata.base_commit_sha === commit ? [] : ['2: base_commit_sha is not the commit']),
    ...(isMap(metadata.prompts) ? [] : ['1.2.4: prompts is required']),
    ...recordErrors(metadata, 'sessions', /^s_[0-9a-f]{14}$/, [], isWork),
    ...recordErrors(metadata, 'humans', /^h_[0-9a-f]{14}$/, ['author'], ({ author }) => isText(author)),
    ...recordErrors(
      metadata,
      'prompts',
      /^[0-9a-f]{16}$/,
      [...stats, 'messages_url'],
      (record) =>
        isWork(record) &&
        isOptionalText(record.messages_url) &&
        stats.every((name) => Number.isInteger(record[name])),
    ),
  ];
}

function isWork({ agent_id: agent, human_author: human, custom_attributes: attributes }: Fields): boolean {
  return (
    isMap(agent) &&
    Object.keys(agent).sort().join() === 'id,model,tool' &&
    Object.values(agent).every(isText) &&
    isOptionalText(human) &&
    (attributes === undefined || (isMap(attributes) && Object.values(attributes).every(isText)))
  );
}

function recordErrors(
  metadata: Fields,
  kind: string,
  form: RegExp,
  fields: string[],
  isRecord: (record: Fields) => boolean,
): string[] {
  const allowed = kind === 'humans' ? fields : [...fields, 'agent_id', 'human_author', 'custom_attributes'];
  return Object.entries(metadata[kind] ?? {}).flatMap(([key, record]) =>
    form.test(key) &&
    isMap(record) &&
    Object.keys(record).every((field) => allowed.includes(field)) &&
    isRecord(record)
      ? []
      : [`1.2.4: ${kind} ${key}`],
  );
}

function attestationErrors(lines: string[], metadata: Fields): string[] {
  const errors: string[] = [];
  const paths = new Set<string>();
  let entries = 1;
  const endFile = () => entries === 0 && errors.push('1.2.3: a file has no attestation');
  for (const line of lines) {
    if (line.startsWith(' ')) {
      entries++;
      errors.push(...(paths.size === 0 ? ['1.2.3: an entry before any file'] : entryErrors(line, metadata)));
      continue;
    }
    endFile();
    entries = 0;
    const quoted = /^"([^"]+)"$/.exec(line)?.[1];
    if (quoted === undefined && (line === '' || /[\s"]/.test(line))) errors.push(`1.2.3: path ${line}`);
    if (paths.has(quoted ?? line)) errors.push(`1.2.3: ${line} is there twice`);
    paths.add(quoted ?? line);
  }
  endFile();
  return errors;
}

const keyForms: [kind: string, form: RegExp][] = [
  ['sessions', /^(s_[0-9a-f]{14})::t_[0-9a-f]{14}$/],
  ['humans', /^(h_[0-9a-f]{14})$/],
  ['prompts', /^([0-9a-f]{16})$/],
];

function entryErrors(line: string, metadata: Fields): string[] {
  const [, key = '', ranges = ''] = /^ {2}([^ ]+) ([^ ]+)$/.exec(line) ?? [];
  const hasRecord = keyForms.some(([kind, form]) => {
    const id = form.exec(key)?.[1];
    return id !== undefined && Object.hasOwn(metadata[kind] ?? {}, id);
  });
  let last = 0;
  const areRanges = ranges.split(',').every((part) => {
    const [, from = '0', to = from] = /^([1-9]\d*)(?:-([1-9]\d*))?$/.exec(part) ?? [];
    const isAscending = Number(from) > last && Number(to) >= Number(from);
    last = Number(to);
    return isAscending;
  });
  return [
    ...(hasRecord ? [] : [`1.2.3.1: key of ${JSON.stringify(line)}`]),
    ...(areRanges ? [] : [`1.2.3: ranges of ${JSON.stringify(line)}`]),
  ];
}
