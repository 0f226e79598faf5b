/**
 * Takes secrets and private passages out of text before its first byte is written. Every pattern here is
 * linear in practice: a fixed prefix, then one bounded character class. Nothing may nest repetitions.
 */
interface Rule {
  name: string;
  /** Cheap test that spares the pattern on text that cannot match. */
  keywords: string[];
  pattern: RegExp;
  /** Which group holds the secret; 0 for the whole match. */
  group: number;
}

const rule = (name: string, keywords: string[], pattern: RegExp, group = 0): Rule => ({
  name,
  keywords,
  pattern,
  group,
});

const rules: Rule[] = [
  rule(
    'private-key',
    ['PRIVATE KEY'],
    /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----END )[\s\S]){0,20000}(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?/g,
  ),
  rule('aws-access-key', ['AKIA', 'ASIA', 'ABIA', 'ACCA'], /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/g),
  rule('github-token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], /\bgh[pousr]_[A-Za-z0-9]{36,255}/g),
  rule('github-pat', ['github_pat_'], /\bgithub_pat_[A-Za-z0-9_]{22,255}/g),
  rule('gitlab-token', ['glpat-', 'gldt-', 'glrt-'], /\bgl(?:pat|dt|rt)-[A-Za-z0-9_-]{20,255}/g),
  rule('slack-token', ['xox', 'xapp-'], /\bx(?:ox[abeoprs]|app)-[A-Za-z0-9-]{10,255}/g),
  rule(
    'slack-webhook',
    ['hooks.slack.com'],
    /hooks\.slack\.com\/(?:services|workflows)\/[A-Za-z0-9/_-]{20,120}/g,
  ),
  rule('stripe-key', ['k_live_', 'k_test_'], /\b[rs]k_(?:live|test)_[A-Za-z0-9]{10,255}/g),
  rule('anthropic-key', ['sk-ant-'], /\bsk-ant-[A-Za-z0-9_-]{20,255}/g),
  rule('openai-key', ['sk-'], /\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,255}/g),
  rule('google-api-key', ['AIza'], /\bAIza[A-Za-z0-9_-]{35}/g),
  rule(
    'google-oauth',
    ['GOCSPX-', 'ya29.'],
    /\b(?:GOCSPX-[A-Za-z0-9_-]{20,60}|ya29\.[A-Za-z0-9_-]{20,500})/g,
  ),
  rule('npm-token', ['npm_'], /\bnpm_[A-Za-z0-9]{36}\b/g),
  rule('pypi-token', ['pypi-'], /\bpypi-[A-Za-z0-9_-]{50,255}/g),
  rule('hugging-face-token', ['hf_'], /\bhf_[A-Za-z0-9]{30,60}\b/g),
  rule('sendgrid-key', ['SG.'], /\bSG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}/g),
  rule('digitalocean-token', ['do'], /\bdo[opr]_v1_[a-f0-9]{64}\b/g),
  rule(
    'json-web-token',
    ['eyJ'],
    /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,2000}/g,
  ),
  rule(
    'authorization-header',
    ['uthorization'],
    /\b[Aa]uthorization["']?\s{0,4}[:=]\s{0,4}["']?(?:Bearer|Basic|Token|token|bearer|basic)\s{1,4}([A-Za-z0-9._~+/=-]{8,4000})/g,
    1,
  ),
  rule('url-password', ['://'], /:\/\/[^\s:/@"'<>]{1,100}:([^\s:/@"'<>]{3,200})@/g, 1),
  rule(
    'assigned-secret',
    ['secret', 'passw', 'passphrase', 'token', 'api', 'credential', 'private', 'access', 'auth'],
    /(?:secret|passwd|password|passphrase|token|api[_-]?key|credentials?|private[_-]?key|access[_-]?key|auth[_-]?key)(?:[_-][A-Za-z0-9]{1,20}){0,2}["']?\s{0,3}(?:=|:|=>|:=)\s{0,3}(?:"([^"\s]{6,500})"|'([^'\s]{6,500})'|([A-Za-z0-9._~+/=-]{8,500}))/gi,
    -1,
  ),
];

const privateBlock = /<private>[\s\S]*?(?:<\/private>|$)/gi;

/** A value that is plainly no secret: a variable, a placeholder, a type, a call. */
const placeholder =
  /^(?:\$|%|\{\{|<|\*+$|x{3,}|\.{3}|process\.env|os\.|env\.|import\.|string$|number$|boolean$|undefined|null$|true$|false$|required|optional|your[-_ ]|example|changeme|redacted|\[redacted)/i;

/** A code expression (`getToken()`, `config.token`) rather than a literal value. */
const expression = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+\(?$|^[A-Za-z_$][\w$]*$/;

const environment = /^[A-Z0-9_-]+=/;

export function redact(text: string): string {
  let clean = text.includes('<') ? text.replace(privateBlock, '[private]') : text;
  let lower: string | undefined;
  for (const { name, keywords, pattern, group } of rules) {
    if (group === -1) {
      lower ??= clean.toLowerCase();
      if (!keywords.some((word) => (lower as string).includes(word))) continue;
      clean = clean.replace(pattern, (match, ...groups: string[]) => redactAssigned(match, groups));
    } else if (keywords.some((word) => clean.includes(word))) {
      clean = clean.replace(pattern, (match: string, first: string | number) =>
        group === 0 ? mark(name) : replaceLast(match, String(first), mark(name)),
      );
    }
  }
  return clean;
}

function redactAssigned(match: string, groups: string[]): string {
  const quoted = groups[0] ?? groups[1];
  const value = quoted ?? groups[2] ?? '';
  if (placeholder.test(value)) return match;
  // Without quotes only something that looks random is a value; a bare word is a name or prose. In the
  // environment's form, `DB_PASSWORD=…`, nothing but a value can follow.
  const isBare = quoted === undefined && !environment.test(match);
  if (isBare && (expression.test(value) || !/\d/.test(value))) return match;
  return replaceLast(match, value, mark('assigned-secret'));
}

function replaceLast(text: string, part: string, by: string): string {
  const at = text.lastIndexOf(part);
  return text.slice(0, at) + by + text.slice(at + part.length);
}

const mark = (name: string): string => `[redacted:${name}]`;

/** The same for every string inside a value, keys included; cycles cannot occur in parsed JSON. */
export function redactDeep<T>(value: T): T {
  if (typeof value === 'string') return redact(value) as T;
  if (Array.isArray(value)) return value.map(redactDeep) as T;
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [redact(key), redactDeep(inner)]),
    ) as T;
  }
  return value;
}
