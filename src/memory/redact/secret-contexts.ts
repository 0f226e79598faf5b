import { beyondAscii } from './character-classes.ts';
import { isChosenPassword } from './chosen-password.ts';
import { isRandomWord } from './random-word.ts';
import { isRandom, isVaried } from './randomness.ts';
import type { Matcher, Span } from './redact.ts';
import { textBefore } from './text-before.ts';

/** Secrets recognised by their context: after one of these keywords, in lower case, which match in any case. */
export type SecretForm = [words: string, matcher: Matcher];

/** All patterns of this file, for the test that none of them backtracks (takes more than linear time). */
export const formPatterns: string[] = [];

/**
 * Matches a pattern after the keyword, compiled on first use. Its first group that matched is the secret. `before` is
 * tested on the characters before the keyword, as many as it says.
 */
function afterKeyword(
  name: string,
  source: string,
  isSecret: (value: string) => boolean = () => true,
  [before, length]: [before: RegExp, length: number] = [/^/, 0],
): Matcher {
  formPatterns.push(source);
  let pattern: RegExp | undefined;
  return (text, start, end) => {
    if (!before.test(textBefore(text, start, length))) return undefined;
    pattern ??= new RegExp(source, 'yi');
    pattern.lastIndex = end;
    const match = pattern.exec(text);
    const value = match?.slice(1).find((group) => group !== undefined);
    if (match === null || value === undefined) return undefined;
    if (!isSecret(value)) return end + match[0].length;
    const at = end + match[0].lastIndexOf(value);
    return [{ start: at, end: at + value.length, name, rank: 0 }];
  };
}

/** Restricts a matcher to keywords that do not continue a lower-case word. */
const ownWord =
  (matcher: Matcher): Matcher =>
  (text, start, end) =>
    /[a-z]/.test(text[start - 1] ?? '') ? undefined : matcher(text, start, end);

/** Pattern for what is between a keyword and its value: the rest of the name, and an operator. */
const toValue = `[\\w.-]{0,30}["'\\]]{0,2}\\s{0,4}(?:=>?|:|,)\\s{0,4}["']?`;

const maxKeyLength = 20_000;
// The beginning of a private key: a header alone is not a key, so base64 must follow.
const keyBegins =
  /-----BEGIN[A-Z0-9 ]{0,40}(?: PRIVATE KEY(?: BLOCK)?| OpenVPN Static key V1)-----(?=[\s\S]{0,200}?[A-Za-z0-9+/]{16})(?![\s\\nr]{0,20}-----END)/y;
const keyEnds = /-----END[A-Z0-9 ]{0,40}(?: PRIVATE KEY(?: BLOCK)?| OpenVPN Static key V1)-----/;

/** Matches a private key up to its end line or, in a truncated text, to the end of the text. */
const privateKey: Matcher = (text, start) => {
  keyBegins.lastIndex = start;
  if (!keyBegins.test(text)) return undefined;
  const body = text.slice(keyBegins.lastIndex, keyBegins.lastIndex + maxKeyLength);
  const ending = keyEnds.exec(body);
  const length = ending === null ? body.length : ending.index + ending[0].length;
  return [{ start, end: keyBegins.lastIndex + length, name: 'private-key', rank: 0 }];
};

const awsSecret = /(?<![A-Za-z0-9/+])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g;
const awsContextLength = 160;

/** Finds an AWS secret access key. It has no prefix and is recognised by the access key id near it. */
const awsPair: Matcher = (text, start) => {
  awsKey.lastIndex = start;
  if (!awsKey.test(text)) return undefined;
  const from = Math.max(0, start - awsContextLength);
  const spans: Span[] = [];
  for (const match of text.slice(from, awsKey.lastIndex + awsContextLength).matchAll(awsSecret)) {
    if (!isRandom(match[0])) continue;
    const at = from + match.index;
    spans.push({ start: at, end: at + match[0].length, name: 'aws-secret-key', rank: 0 });
  }
  return spans;
};

const awsKey = /A[KS]IA(?:[A-Z2-7]{16}|(?=[A-Z]{0,15}\d)[A-Z0-9]{16})(?![A-Za-z0-9])/y;

const isNoPlaceholder = (value: string): boolean =>
  !/^(?:\$|<|\{|%[A-Z]|\*|x{3}|\.{3}|\[redacted)/i.test(value);
const isToken = (value: string): boolean =>
  isNoPlaceholder(value) && isVaried(value) && /\d|[a-z][A-Z].{8}/.test(value) && !/example/i.test(value);
const wellKnown =
  /^(?:pass|password|passwd|pwd|user|token|test|\*+|x+|y+|xyz|abc|123|none|\[.*|password[^\w].*)$/i;

const isUncommon = (value: string): boolean => isNoPlaceholder(value) && !wellKnown.test(value);

/** `curl -u name:password`, anywhere in the command. */
const commandUser = afterKeyword(
  'command-password',
  `[ =]?["']?[^\\s"':%$<]{0,60}["'}]{0,2}[:%]["'{]{0,2}([^\\s"'<$][^\\s"'<]{2,100})`,
  isUncommon,
  [/curl|wget|http|psexec|smb|rpcclient/i, 400],
);

/** `psexec -p …`, `docker login -p …`, `sshpass -p …`. */
const commandPassword = afterKeyword(
  'command-password',
  `["']?([^\\s"'$%<{-][^\\s"'<]{3,100})`,
  (value) => !wellKnown.test(value),
  [
    /psexec|sshpass|mongo|crackmapexec|netexec|evil-winrm|hydra|(?:docker|podman|registry|oc|az|cf) +login/i,
    200,
  ],
);

/** Finds the password of a netrc file: `machine … login … password …`, on one line or three. */
const netrcPassword = afterKeyword('netrc-password', '([^\\s"\'<{$]{4,200})', (value) => value !== 'string', [
  /login\s{1,8}\S{1,80}\s{1,8}$/,
  100,
]);

const isAnyPassword = (value: string): boolean => isUncommon(value) && !/\s/.test(value);
/** A stricter test for a password, for positions in which the name of a field or method may appear too. */
const isPasswordLike = (value: string): boolean => isAnyPassword(value) && /\d|[^\w.-]/.test(value);

const argument = `\\s{0,20}(?:[\\w$.>-]{1,60}|"[^"\\n]{0,120}"|'[^'\\n]{0,120}'),`;
const lastArgument = `\\s{0,20}@?["']([^"'\\n]{4,100})["']`;

/** `NetworkCredential("ann", "…")`, `mysqli_connect($host, 'ann', '…')`: recognised by the position among the arguments. */
const callForms: SecretForm[] = [
  ['credential(|credentials(', afterKeyword('call-password', argument + lastArgument, isAnyPassword)],
  [
    'basicauth(|basic_auth(|.login(|.auth(|auth=(|auth = (',
    afterKeyword('call-password', argument + lastArgument, isPasswordLike),
  ],
  [
    'directoryentry(|mysqli_connect(|mysql_connect(|mysqli(|pdo(|.getconnection(|dbi->connect(|sequelize(|ftp_login(|auth_password(|odbc_connect(|imap_open(|ldap_bind(',
    afterKeyword('call-password', argument + argument + lastArgument, isAnyPassword),
  ],
];

/** Makes a rule for programs that accept a password by a flag. */
const flagForm = (words: string, flag: string, isSecret = isAnyPassword): SecretForm => [
  words,
  afterKeyword(
    'command-password',
    `${flag}(?:"([^"$\\n]{4,100})"|'([^'\\n]{4,100})'|([^\\s"'$<-][^\\s"'<]{3,100}))`,
    isSecret,
  ),
];
/** A sentence about the command has an ordinary word in this place, so the check is stricter. */
const placeForm = (words: string, place: string): SecretForm => flagForm(words, place, isPasswordLike);
/** Anything before a flag. The flag may also be the first argument; the keyword then ends with the space before it. */
const upTo = '(?:[^\\n|;&]{0,120}?\\s)?';

const commandForms: SecretForm[] = [
  flagForm('mysql |mysqldump |mysqladmin |mysqlimport |mariadb |mariadb-dump |mycli ', `${upTo}-p`),
  flagForm('redis-cli |valkey-cli |keydb-cli ', `${upTo}-a `),
  flagForm('sqlcmd |bcp |isql |zip |unzip ', `${upTo}-P `),
  flagForm('ldapsearch |ldapadd |ldapmodify |ldapwhoami |ldapdelete ', `${upTo}-w `),
  flagForm('net use |net user ', `${upTo}(?:/user:\\S{1,60} |(?=\\S{4,100} /add))`),
  flagForm('openssl ', `${upTo}(?:-k|-pass|-passin|-passout) (?:pass:)?`),
  flagForm(
    'mongosh |mongodump |mongorestore |mongoexport |cqlsh |twine |useradd |usermod |snowsql |clickhouse-client |supabase |ncftp |pg_dump |poetry publish ',
    `${upTo}-p `,
  ),
  flagForm('gh secret set |gh variable set ', `${upTo}(?:-b|--body)[ =]`),
  // Commands that put a value into a secret store. The value may be any text, including several words.
  [
    'gh secret set |aws secretsmanager |aws ssm put-parameter |az keyvault secret set |glab variable set ',
    afterKeyword(
      'command-password',
      `${upTo}(?:-b|--body|--secret-string|--value)[ =](?:"([^"$\\n]{6,200})"|'([^'\\n]{6,200})')`,
      isNoPlaceholder,
    ),
  ],
  flagForm('ssh-keygen ', `${upTo}-[NP] {0,2}`),
  flagForm('htpasswd ', `-[a-zA-Z]{0,5}b[a-zA-Z]{0,5} (?:\\S{1,80} ){1,2}`),
  flagForm('aws configure set ', `(?:\\S{0,40}\\.)?aws_(?:secret_access_key|session_token) `),
  flagForm('security add-generic-password |security add-internet-password ', `${upTo}-w `),
  placeForm('rabbitmqctl add_user |rabbitmqctl change_password |mc alias set ', `(?:\\S{1,80} ){1,3}`),
  placeForm(
    'vault login |ngrok authtoken |ngrok config add-authtoken |cargo login |snyk auth |wandb login |huggingface-cli login |reset-admin-password |requirepass |masterauth |cloudflared service install ',
    `(?:--?[a-z-]{1,20} ){0,2}`,
  ),
  flagForm('lftp ', `${upTo}-u [^\\s,]{1,60},`),
  flagForm('nuget push |gem push ', `${upTo}(?:-k|--api-key|--key) `),
  placeForm(
    'user-secrets set |pulumi config set --secret |config:set |npm config set |poetry config |secrets set |env:set |vercel env add ',
    `(?:--?[a-z-]{1,20} ){0,2}["']?[\\w:./-]{1,80}["']?(?: |=)`,
  ),
  flagForm('--from-literal', `[= ]["']?[\\w.-]{1,60}=`),
  flagForm('vault kv put |vault write ', `\\S{1,80} [\\w.-]{1,60}=`),
  flagForm(' -pw |-passin pass:|-passout pass:|-pass pass:', ''),
  flagForm('http |https |httpie |xh ', `(?:\\S{1,80} ){0,3}(?:-a|--auth)[ =]["']?[^\\s:"']{1,60}:`),
];

/** Finds a secret that is piped to a program: `echo … | gh secret set NAME`, `printf "root:…" | chpasswd`. */
const pipedSecret: Matcher = (text, start) => {
  const match = piped.exec(textBefore(text, start, maxPipedLength));
  const value = match?.[1];
  if (match === null || value === undefined || !isUncommon(value)) return undefined;
  const end = start - (match[0].length - match[0].lastIndexOf(value) - value.length);
  return [{ start: end - value.length, end, name: 'command-password', rank: 0 }];
};

const maxPipedLength = 300;
const piped =
  /(?:echo|printf)(?: -\w{1,3}| "?'?%s(?:\\n)?'?"?){0,2} ["']?(?:[\w.-]{1,40}:)?([^\s"'|<>$][^\s"'|<>]{3,200}?)(?:\\n)?["']? {0,3}\| {0,3}(?:sudo (?:-\w )?)?(?:npx |bunx |pnpm (?:dlx |exec )?)?$/;

const minUserTokenLength = 16;
/** Whether the user part of a URL is a random word, as in `https://TOKEN@git.example.org`. */
const isUserToken = (value: string): boolean =>
  isNoPlaceholder(value) && value.length >= minUserTokenLength && isRandom(value);

/** Finds a password next to its login: `ada@acme.dev / …`, `ada@acme.dev:…`. */
const besideLogin: Matcher = (text, start, end) => {
  if (!login.test(textBefore(text, start, maxLoginLength) + text.slice(start, end))) return undefined;
  loginValue.lastIndex = end;
  const value = loginValue.exec(text)?.[1];
  if (value === undefined) return undefined;
  const isGiven =
    (!beyondAscii.test(value) && isRandomWord(value, minLoginValueLength)) ||
    (isLoginContext(text, start) && isChosenPassword(value, 'adjacent'));
  if (!isGiven) return undefined;
  const at = text.indexOf(value, end);
  return [{ start: at, end: at + value.length, name: 'login-password', rank: 2 }];
};

const maxLoginLength = 80;
const login =
  /[\w.+-]{1,60}@[\w-]{1,40}(?:\.[\w-]{1,30}){0,3}(?: \/ |:)$|(?:^|[\s:(])(?:admin|root|user|login|[a-z]{2,20}) \/ $/;
/** Whether the text before a login is about signing in, or the login is a default account. */
const isLoginContext = (text: string, start: number): boolean =>
  loginContext.test(textBefore(text, start, loginContextLength));
const loginContextLength = 120;
const loginContext =
  /log ?in|logon|sign ?in|\bssh\b|\bsudo|\bvpn\b|creds|credential|account|pass|password|\buser|zugang|anmeld|connect|identif|acces|sesi[oó]n|usuario|utente|benutzer|conta |konto|inlog|zalog|přihl|prihl|вход|войд|логин|уч[её]т|giriş|kirjaud|belép|登录|ログイン|로그인|(?:^|[\s:("'`])(?:admin|administrator|root|pi|sa|postgres|ubuntu|ec2-user|guest|demo|deploy)["'`]?$/i;
const minLoginValueLength = 8;
const loginValue = / {0,2}["'`]?(\S{8,80}?)["'`]?[.,;)]?(?=\s|$)/y;

/** Whether the value after HTTP's `Basic` decodes to a name and a password. An ordinary word does not. */
const isNameAndPassword = (value: string): boolean =>
  /^[\x20-\x7e]{2,80}:[\x21-\x7e]{3,}$/.test(Buffer.from(value, 'base64').toString('latin1'));

/** One cookie of the header identifies the session, so all are removed. */
const isCookie = (value: string): boolean =>
  [...value.matchAll(/[\w.-]=([^\s;,\\]{16,})/g)].some(([, part = '']) => isRandom(part));

const yamlValue =
  /\n(?:[ \t]{0,12}#[^\n]{0,200}\n){0,3}[ \t]{1,12}[\w.-]{1,60}: {0,4}(?:[|>]-?\s{1,20})?["']?([A-Za-z0-9+/]{8,4000}={0,2})["']?(?=\s|$)/y;
const maxEntries = 20;
const kindDistance = 500;

/** Finds the entries of a Kubernetes secret, which are only base64 encoded. */
const kubernetesSecret: Matcher = (text, _start, end) => {
  const spans: Span[] = [];
  let at = end;
  for (let entry = 0; entry < maxEntries; entry++) {
    yamlValue.lastIndex = at;
    const match = yamlValue.exec(text);
    const value = match?.[1];
    if (match === null || value === undefined) break;
    const start = at + match[0].lastIndexOf(value);
    spans.push({ start, end: start + value.length, name: 'kubernetes-secret', rank: 0 });
    at = yamlValue.lastIndex;
  }
  if (spans.length === 0) return undefined;
  const around = textBefore(text, end, kindDistance) + text.slice(end, at + kindDistance);
  return /kind["']?:\s{0,3}["']?secret/i.test(around) ? spans : at;
};

export const secretForms: SecretForm[] = [
  ['-----begin', privateKey],
  ['akia|asia', awsPair],
  [
    'authorization',
    afterKeyword(
      'authorization-header',
      `["'\\]\\\\]{0,3}\\s{0,4}[:=,]\\s{0,4}[\\\\"']{0,2}(?:[A-Za-z][\\w-]{1,20}\\s{1,4}(?:token=)?["']?)?([\\w.~+/=:@-]{8,4000})(?![\\w.~+/=:@(-])`,
      isToken,
    ),
  ],
  [
    'basic |"auth": "',
    afterKeyword('basic-authorization', '([A-Za-z0-9+/]{10,400}={0,2})', isNameAndPassword),
  ],
  [`-u |-u"|-u'|--user `, commandUser],
  ['-p ', commandPassword],
  ...callForms,
  ...commandForms,
  [
    'identified by |securestring |securestring -string ',
    afterKeyword('command-password', `["']([^"'$\\n]{4,100})["']`, isAnyPassword),
  ],
  [
    'cookie: |curl -b |--cookie | -b ',
    afterKeyword('cookie', `["'=]{0,2}([^\\r\\n"'=; ]{1,80}=[^\\r\\n"']{6,4000})`, isCookie),
  ],
  [
    'gh secret set|chpasswd|passwd --stdin|passwd -s|docker login|podman login|helm registry login|sudo -s|wrangler secret put|vercel env add|fly secrets |pass insert|security add|vault |openssl |gcloud secrets |kubectl create secret|doppler secrets|heroku |oc login|az ',
    pipedSecret,
  ],
  [' / |.com:|.dev:|.org:|.net:|.io:|.co:|.de:|.local:|.internal:|.example:', besideLogin],
  ['://', afterKeyword('url-password', `([\\w.~%+-]{16,255})@(?=[A-Za-z0-9])`, isUserToken)],
  [
    'private-lines:',
    afterKeyword('private-key', '\\s{0,3}\\d{1,3}\\s{1,4}((?:[A-Za-z0-9+/=]{1,64}\\s?\\n){1,40})'),
  ],
  ['<d>', afterKeyword('private-key', '([A-Za-z0-9+/=\\s]{40,2000})</d>')],
  [
    'securestring',
    afterKeyword('stored-secret', `["']?,?\\s{0,40}["']?Value["']?:\\s{0,3}["']?([^\\s"'][^"'\\n]{3,4000})`),
  ],
  [
    '.vault.azure.net/secrets/',
    afterKeyword(
      'stored-secret',
      `[\\w/-]{1,200}"[^\\n]{0,3}(?:\\n[^\\n]{0,200}){0,8}?"value":\\s{0,3}"([^"\\n]{4,4000})"`,
    ),
  ],
  [':5432:', afterKeyword('pgpass-password', '[\\w*-]{1,60}:[\\w*-]{1,60}:([^\\s:"\']{4,100})(?=\\s|$)')],
  ['oracle:thin:', afterKeyword('url-password', '[\\w.-]{1,60}/([^\\s@"\'/]{3,100})@')],
  ['password ', netrcPassword],
  ['data:', kubernetesSecret],
  // In a shell, the header may go on after a backslash at the end of the line.
  ['bearer ', afterKeyword('bearer-token', '(?:\\\\\\r?\\n\\s{0,16})?([\\w.~+/=-]{20,4000})', isRandom)],
  // Terraform's state has the passwords that it made.
  [
    '"result": "|"result":"',
    afterKeyword('stored-secret', '([^"\\n]{4,500})"', () => true, [
      /"type":\s{0,3}"random_(?:password|string)"/,
      3_000,
    ]),
  ],
  ['ssws ', afterKeyword('okta-token', '(00[\\w-]{38,44})(?![\\w-])', isVaried)],
  // A wallet key has the length of a hash, so only its name distinguishes it.
  [
    'accounts|wallet(|privatekeytoaccount(|privatekeytoaddress(|from_key(|account.from|private key|private-key|private_key|privatekey|privkey|deployer_key|deployer key|wallet key|signer key|signing key',
    afterKeyword(
      'wallet-key',
      `["'\\])]{0,2}(?: is)?\\s{0,4}[:=(]{0,2}\\s{0,4}\\[?\\s{0,12}["'\`]?((?:0x[0-9a-f]{64}["'\`]?[,\\s]{0,12}["'\`]?){0,9}0x[0-9a-f]{64})(?![0-9a-f])`,
      isVaried,
    ),
  ],
  // An Okta token has no prefix but two zeros.
  ['okta', ownWord(afterKeyword('okta-token', `${toValue}(00[\\w-]{40})(?![\\w-])`, isVaried))],
  [
    '://',
    afterKeyword(
      'url-password',
      `(?!\\[redacted)[^\\s:/@"'<>]{0,100}:([^\\s/"'<>]{4,200})@(?=[A-Za-z0-9\\[$\\{_.-])`,
      isUncommon,
    ),
  ],
];
