/**
 * Secrets that can be known by their looks: what their makers have published of prefix, length and alphabet.
 * Data only. A row is tried where one of its beginnings stands, from there on, and on nothing else, so every
 * pattern is a bounded walk from a fixed place; none may nest repetitions.
 */
export interface SecretRule {
  /** Said in place of the secret. */
  name: string;
  /** Where to look, in exactly these letters. */
  starts: string[];
  /** What must follow. A group in it is the secret; otherwise the beginning and all of this are. */
  rest: string;
  /** How many characters before the beginning belong to it; the pattern then covers the whole. */
  before?: number;
  /** Of what kind these are when their number differs: as many as there are, up to it. */
  lead?: 'digits' | 'letters';
  /** The beginning says so little that what follows has to look random too. */
  isShort?: boolean;
  /** Follows a prefix that may itself stand inside a longer word. */
  anywhere?: boolean;
  /** Letters of either case. */
  ignoreCase?: boolean;
}

const rule = (name: string, starts: string, rest: string, more: Partial<SecretRule> = {}): SecretRule => ({
  name,
  starts: starts.split(' '),
  rest,
  ...more,
});

const a = '[A-Za-z0-9]';
const w = '[A-Za-z0-9_-]';
const b64 = '[A-Za-z0-9+/]';
const hex = '[a-f0-9]';
const anyHex = '[A-Fa-f0-9]';
const uuid = `${anyHex}{8}-${anyHex}{4}-${anyHex}{4}-${anyHex}{4}-${anyHex}{12}`;
/** Nothing of the same alphabet may follow: a longer run is something else. */
const end = '(?![A-Za-z0-9])';
const endW = '(?![A-Za-z0-9_-])';
const random = { isShort: true };

/** Made when the first text comes, not when the program starts: most hooks of a session have none. */
export const secretRules = (): SecretRule[] => [
  // Code hosting and packages.
  rule('github-token', 'ghp_ gho_ ghu_ ghs_ ghr_', `${a}{36,255}`),
  rule('github-pat', 'github_pat_', '[A-Za-z0-9_]{22,255}'),
  rule(
    'gitlab-token',
    'glpat- glptt- gldt- glrt- glrtr- glft- glimt- glagent- glsoat- gloas- glffct- glcbt-',
    '[A-Za-z0-9_.=-]{20,255}',
  ),
  rule('gitlab-token', 'GR1348941', `${w}{20,60}`),
  rule('gitlab-session', '_gitlab_session=', '([a-z0-9]{32})'),
  rule('bitbucket-token', 'ATBB ATCTT3xFf', '[A-Za-z0-9_=-]{20,255}'),
  rule('atlassian-token', 'ATATT3', '[A-Za-z0-9_=-]{100,255}'),
  rule('npm-token', 'npm_', `${a}{36}${end}`),
  rule('npm-token', '_authToken=', `(${a}[A-Za-z0-9_./+=-]{15,200})`, { anywhere: true }),
  rule('pypi-token', 'pypi-', `${w}{50,255}`),
  rule('rubygems-key', 'rubygems_', `${hex}{40,64}`),
  rule('crates-token', 'cio', `${a}{32}${end}`, random),
  rule('nuget-key', 'oy2', `[a-z0-9]{43}${end}`, random),
  rule('clojars-token', 'CLOJARS_ clojars_', '[a-z0-9]{60}', { ignoreCase: true }),
  rule('docker-token', 'dckr_pat_ dckr_oat_', `${w}{20,60}`),
  rule('artifactory-key', 'AKC', `[a-z0-9]{1}${a}{60,90}`, { ...random, ignoreCase: true }),
  rule('artifactory-token', 'cmVmdGtu', `${a}{50,90}`),
  rule('sonar-token', 'sqp_ sqa_ squ_', `[A-Za-z0-9]{40}${end}`),
  rule('octopus-key', 'API-', `[A-Z0-9]{26}${end}`, random),
  rule('jetbrains-token', 'perm:', '[A-Za-z0-9=]{8,60}\\.[A-Za-z0-9=]{4,60}\\.[A-Za-z0-9=]{20,80}', random),
  rule('teamcity-token', 'eyJ0eXAiOiAiVENWMiJ9.', `${w}{20,60}\\.[A-Za-z0-9_=-]{20,80}`),
  rule('codecov-token', 'codecov_', `${w}{30,60}`, random),
  rule('sourcegraph-token', 'sgp_ slk_ sgs_ sgd_', `(?:(?:local|${anyHex}{16})_)?${anyHex}{40,64}`),
  rule('snyk-token', 'snyk_uat. snyk_sat.', `${a}{6,12}\\.[A-Za-z0-9_.-]{30,200}`),
  rule('stackhawk-key', 'hawk.', `${w}{20}\\.${w}{20}${endW}`),
  rule('dependency-track-key', 'odt_', `${a}{20,50}`, random),
  rule('prefect-key', 'pnu_ pnb_', `[a-zA-Z0-9]{36}${end}`),
  rule('pulumi-token', 'pul-', `${hex}{40}${end}`),
  rule('readme-key', 'rdme_', '[a-z0-9]{60,80}'),
  rule('linear-key', 'lin_api_ lin_oauth_', `${a}{32,80}`),
  rule('jfrog-token', 'eyJ2ZXIiOiIy', `${w}{20,2000}\\.${w}{20,4000}\\.${w}{20,2000}`),
  // Clouds.
  rule('aws-access-key', 'AKIA ASIA ABIA ACCA', `[A-Z2-7]{16}${end}`),
  rule('aws-access-key', 'A3T', `[A-Z0-9][A-Z2-7]{16}${end}`, random),
  rule('aws-bedrock-key', 'ABSK', `${b64}{100,300}={0,2}`),
  rule('aws-bedrock-key', 'bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t', '[A-Za-z0-9+/=]{0,2000}'),
  rule('aws-mws-key', 'amzn.mws.', uuid),
  rule('aws-session-token', 'IQoJb3JpZ2luX2Vj FwoGZXIvYXdz', '[A-Za-z0-9+/=%]{60,2000}'),
  rule('google-api-key', 'AIza', `${w}{35}${endW}`),
  rule('google-oauth', 'GOCSPX-', `${w}{20,60}`),
  rule('google-oauth', 'ya29.', '[A-Za-z0-9_.-]{20,500}'),
  rule('google-refresh-token', '1//', `0[A-Za-z0-9]${w}{40,200}`, random),
  rule('gcs-hmac-key', 'GOOG', `1[A-Z0-9]{52,60}${end}`, { ...random }),
  rule('google-captcha-key', '6L', `[A-Za-z0-9]{6}AAAAA${w}{25,27}${endW}`),
  rule(
    'azure-client-secret',
    'Q~',
    `(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])`,
    { before: 4, anywhere: true },
  ),
  rule('azure-signature', 'sig=', '([A-Za-z0-9%/+]{40,80}(?:%3D|=))', random),
  rule('azure-key', 'AccountKey= SharedAccessKey= accesskey= AccessKey=', '([A-Za-z0-9+/]{40,100}={1,2})', {
    anywhere: true,
  }),
  rule('azure-devops-token', 'JQQJ99', `${a}{40,90}`, { before: 60, lead: 'letters', anywhere: true }),
  rule('azure-devops-token', 'AZDO', `[A-Za-z0-9]{40,80}AZDO${a}{4}${end}`, {
    before: 80,
    lead: 'letters',
    anywhere: true,
  }),
  rule(
    'azure-key',
    'APIM ACDb AAAAACO AzSe ACRA+ AIoT',
    `[A-Za-z0-9+/]{8,90}(?:APIM|ACDb|AAAAACO|AzSe|ACRA\\+|AIoT)[A-Za-z0-9+/=]{5,12}`,
    { before: 60, lead: 'letters', anywhere: true, isShort: true },
  ),
  rule('alibaba-key', 'LTAI', `[A-Za-z0-9]{17,21}${end}`),
  rule('digitalocean-token', 'dop_v1_ doo_v1_ dor_v1_', `${hex}{64}`),
  rule('cloudflare-origin-key', 'v1.0-', `${hex}{24}-${hex}{100,160}`),
  rule('heroku-key', 'HRKU-', `${w}{36,80}`),
  rule('fly-token', 'fo1_ fm1r_ fm1a_ fm2_', '[A-Za-z0-9_+/=-]{43,800}'),
  rule('netlify-token', 'nfp_', `${w}{36,60}`),
  rule('vercel-token', 'vercel_blob_rw_ vcp_ vci_ vca_ vcr_ vck_', `${w}{24,100}`, random),
  rule('supabase-key', 'sbp_ sb_secret_', `${w}{20,60}`),
  rule('planetscale-token', 'pscale_tkn_ pscale_oauth_ pscale_pw_ pscale_api_', '[A-Za-z0-9_=.-]{30,80}'),
  rule('databricks-token', 'dapi', `${hex}{32}(?:-\\d)?${end}`),
  rule('snowflake-token', 'ver:1-hint:', '[A-Za-z0-9+/=-]{40,400}'),
  rule('scalingo-token', 'tk-us-', `${w}{48}`),
  rule(
    'doppler-token',
    'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.',
    '(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,44}',
  ),
  rule('terraform-token', '.atlasv1.', `${a}{14}\\.atlasv1\\.[A-Za-z0-9_=-]{60,70}`, {
    before: 14,
    anywhere: true,
  }),
  rule('vault-token', 'hvs. hvb. hvr.', `${w}{24,300}`),
  rule('vault-token', 's. b. r.', `${a}{24}(?![A-Za-z0-9.])`, random),
  rule('openshift-token', 'sha256~', `${w}{43}`),
  rule('infracost-key', 'ico-', `${a}{32}${end}`),
  rule('tailscale-key', 'tskey-', '[a-z]{2,12}-[A-Za-z0-9-]{20,80}'),
  rule('clickhouse-key', '4b1d', `${a}{38}${end}`, random),
  rule('yandex-key', 'AQVN YCAJE YC', '[A-Za-z0-9_-]{34,60}', random),
  rule('yandex-token', 't1.', '[A-Z0-9a-z_-]{20,300}={0,2}\\.[A-Z0-9a-z_-]{80,90}={0,2}'),
  rule(
    'kubernetes-bootstrap-token',
    'bootstrap BOOTSTRAP',
    `[\\w-]{0,20}["'\\s:=]{1,5}([a-z0-9]{6}\\.[a-z0-9]{16})${end}`,
    { anywhere: true },
  ),
  rule('age-secret-key', 'AGE-SECRET-KEY-1', '[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}'),
  rule('defined-networking-key', 'dnkey-', '[A-Za-z0-9=_-]{20,100}'),
  // Models.
  rule('anthropic-key', 'sk-ant-', `${w}{20,255}`),
  rule('openrouter-key', 'sk-or-', `v1-${hex}{64}`),
  rule('openai-key', 'sk-', `(?:proj-|svcacct-|admin-|None-)?${w}{20,255}`, random),
  rule('groq-key', 'gsk_', `${a}{40,60}`),
  rule('hugging-face-token', 'hf_ api_org_', `[A-Za-z0-9]{30,60}${endW}`, random),
  rule('perplexity-key', 'pplx-', `${a}{40,60}`),
  rule('replicate-token', 'r8_', `${a}{37,40}`),
  rule('xai-key', 'xai-', `${w}{60,100}`),
  rule('nvidia-key', 'nvapi-', `${w}{50,80}`),
  rule('pinecone-key', 'pcsk_', `${w}{40,80}`),
  rule('tavily-key', 'tvly-', `${w}{20,60}`),
  rule('jina-key', 'jina_', `${w}{50,80}`),
  rule('firecrawl-key', 'fc-', `${hex}{32}${end}`),
  rule('together-key', 'tgp_v1_', `${w}{40,60}`),
  rule('voyage-key', 'pa-', `${w}{43}${endW}`, random),
  rule('langsmith-key', 'lsv2_', `(?:pt|sk)_${hex}{32}_${hex}{10}`),
  rule('secret-key', 'sk_', `[A-Za-z0-9]{29,64}${end}`, random),
  rule('fireworks-key', 'fw_', `${a}{22,24}${end}`, random),
  rule('cerebras-key', 'csk-', `[a-z0-9]{48}${end}`),
  // Payment and commerce.
  rule('stripe-key', 'sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_', `${a}{10,255}`),
  rule('webhook-secret', 'whsec_', '[A-Za-z0-9+/=]{24,80}'),
  rule('square-token', 'EAAA', `${w}{56,64}${endW}`, random),
  rule('square-token', 'sq0atp- sq0csp- sq0idb- sq0idp-', `${w}{22,60}`),
  rule('shopify-token', 'shpat_ shpca_ shppa_ shpss_', `${anyHex}{32}`),
  rule('paypal-token', 'access_token$production$ access_token$sandbox$', `[a-z0-9]{16}\\$${hex}{32}`),
  rule('plaid-token', 'access-sandbox- access-development- access-production-', uuid),
  rule('flutterwave-key', 'FLWSECK_TEST- FLWPUBK_TEST- FLWSECK- FLWPUBK-', `${a}{12,40}(?:-X)?`),
  rule('easypost-key', 'EZAK EZTK', `${a}{54}`),
  rule('duffel-token', 'duffel_test_ duffel_live_', '[A-Za-z0-9_=-]{43}'),
  rule('shippo-token', 'shippo_live_ shippo_test_', `${hex}{40}`),
  rule('gocardless-token', 'live_ test_', '[A-Za-z0-9_=-]{40}(?![A-Za-z0-9_=-])', random),
  rule('lob-key', 'live_ test_', `(?:pub_)?${hex}{31,35}${end}`, random),
  rule('razorpay-key', 'rzp_live_ rzp_test_', `${a}{14,24}`),
  rule('lemonsqueezy-key', 'lmsq_', `${w}{30,80}`),
  rule(
    'sidekiq-secret',
    'CONTRIBSYS__COM contribsys__com',
    `\\w{0,8}[^A-Za-z0-9]{1,12}(?:string[^A-Za-z0-9]{1,5})?(${hex}{8}:${hex}{8})${end}`,
    { anywhere: true },
  ),
  rule('settlemint-token', 'sm_aat_ sm_pat_ sm_sat_', `${a}{16}`),
  rule('frameio-token', 'fio-u-', '[A-Za-z0-9_=-]{64}'),
  // Messages and mail.
  rule(
    'slack-token',
    'xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxe- xoxc-',
    `(?:\\d{1,14}-){1,3}[A-Za-z0-9-]{16,255}`,
    {},
  ),
  rule('slack-token', 'xoxa- xoxr-', `${a}{20,48}${end}`, random),
  rule('slack-token', 'xoxd-', '[A-Za-z0-9%/+=-]{40,400}'),
  rule('slack-token', 'xapp-', `\\d-[A-Z0-9]{5,20}-\\d{5,20}-[a-z0-9]{20,80}`, { ignoreCase: true }),
  rule('slack-token', 'xoxe.xoxb- xoxe.xoxp- xoxe-', `\\d-${a}{100,255}`, random),
  rule('slack-webhook', 'hooks.slack.com/', '(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,120}', {
    anywhere: true,
  }),
  rule(
    'discord-webhook',
    'discord.com/api/webhooks/ discordapp.com/api/webhooks/',
    `\\d{15,22}/${w}{50,90}`,
    { anywhere: true },
  ),
  rule(
    'teams-webhook',
    'webhook.office.com/webhookb2/ outlook.office.com/webhook/ outlook.office365.com/webhook/',
    '[A-Za-z0-9@%-]{20,120}/IncomingWebhook/[A-Za-z0-9/_-]{30,120}',
    { anywhere: true },
  ),
  rule('telegram-token', ':A', `(?<![A-Za-z0-9])\\d{5,16}:A${w}{33,35}${endW}`, {
    before: 16,
    lead: 'digits',
    anywhere: true,
    ignoreCase: false,
  }),
  rule('sendgrid-key', 'SG.', `${w}{16,32}\\.${w}{16,64}`),
  rule('sendinblue-key', 'xkeysib- xsmtpsib-', `${hex}{64}-${a}{16}`),
  rule('mailgun-key', 'key- pubkey-', `${hex}{32}${end}`),
  rule('mailchimp-key', '-us', `(?<![A-Za-z0-9])${hex}{32}-us\\d{1,2}${end}`, { before: 32, anywhere: true }),
  rule('twilio-key', 'SK', `${anyHex}{32}${end}`),
  rule('resend-key', 're_', `${a}{8}_${a}{20,30}`, random),
  rule('postman-key', 'PMAK-', `${hex}{24}-${hex}{34}`),
  rule('zapier-hook', 'hooks.zapier.com/hooks/catch/', '[A-Za-z0-9/]{8,40}', { anywhere: true }),
  // Work and watching.
  rule('notion-token', 'ntn_', `[0-9]{11}${a}{30,40}${end}`),
  rule('notion-token', 'secret_', `${a}{43}${end}`),
  rule('figma-token', 'figd_ figo_ figu_ figoh_ figor_', `${w}{30,60}`),
  rule('airtable-token', 'pat', `${a}{14}\\.${hex}{64}`),
  rule('hubspot-token', 'pat-na1- pat-eu1- pat-na2-', uuid),
  rule('contentful-token', 'CFPAT-', `${w}{40,60}`),
  rule('asana-token', '1/ 2/ 0/', `\\d{12,20}(?:/\\d{12,20})?:${hex}{32}`),
  rule('typeform-token', 'tfp_', '[A-Za-z0-9_.=-]{44,70}'),
  rule(
    'dynatrace-token',
    'dt0c01. dt0s01. dt0s02. dt0s03. dt0s04. dt0s06. dt0s08. dt0s09.',
    '[A-Z0-9]{8,24}\\.[A-Z0-9]{40,70}',
    { ignoreCase: true },
  ),
  rule('grafana-token', 'glsa_', `${a}{32}_${anyHex}{8}`),
  rule('grafana-token', 'glc_', '[A-Za-z0-9+/]{30,400}={0,3}'),
  rule('grafana-key', 'eyJrIjoi', '[A-Za-z0-9+/]{40,400}={0,3}'),
  rule('sentry-token', 'sntryu_', `${hex}{64}${end}`),
  rule('sentry-token', 'sntrys_', 'eyJ[A-Za-z0-9+/=_-]{40,400}_[A-Za-z0-9+/_-]{43}(?![A-Za-z0-9+/_-])'),
  rule('new-relic-key', 'NRAK- NRII- NRIQ- NRJS- NRAA- NRRA- NRSP- NRBR-', '[A-Za-z0-9-]{19,48}', {}),
  rule('new-relic-key', 'NRAL', `(?<![A-Za-z0-9])[A-Za-z0-9]{36}NRAL${end}`, { before: 36, anywhere: true }),
  rule('launchdarkly-key', 'sdk- api- mob-', `${uuid}${end}`),
  rule('posthog-key', 'phx_ phs_', `${a}{40,60}`),
  rule('segment-token', 'sgp_', `${a}{64}`),
  rule('datadog-key', 'ddapi_ ddapp_', `${a}{30,60}`),
  rule('honeycomb-key', 'hcaik_ hcbik_ hcxik_ hcaic_', `[a-z0-9]{30,70}`),
  rule('maxmind-key', '_mmk', `${a}{6}_${a}{29}_mmk${end}`, { before: 36, anywhere: true }),
  rule('endor-key', 'endr+', `${w}{16}`),
  rule('mapbox-token', 'pk.eyJ sk.eyJ tk.eyJ', `${w}{20,300}\\.${w}{20,60}`),
  rule('intra42-secret', 's-s4t2ud- s-s4t2af-', `${hex}{64}`),
  rule('thingsboard-token', 'thingsboard', `[A-Za-z0-9.:-]{0,40}/api/v1/(${w}{20})/`, { anywhere: true }),
  rule('adafruit-key', 'aio_', `${a}{28}${end}`),
  rule('adobe-secret', 'p8e-', `${a}{32}`, { ignoreCase: true }),
  rule(
    'one-password-key',
    'A3-',
    '[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}',
  ),
  rule('one-password-token', 'ops_eyJ', '[A-Za-z0-9+/_-]{100,2000}={0,3}'),
  rule(
    'authress-key',
    'sc_ ext_ scauth_ authress_',
    `[a-z0-9]{5,30}\\.[a-z0-9]{4,6}\\.acc[_-][a-z0-9-]{10,32}\\.[a-z0-9+/_=-]{30,120}`,
    { ignoreCase: true },
  ),
  rule('harness-token', 'pat. sat.', `${w}{22}\\.${a}{24}\\.${a}{20}`),
  rule('facebook-token', 'EAAM EAAC EAAB EAAG EAAJ EAAD EAAE EAAF EAAH EAAI', `${a}{60,400}`),
  rule('facebook-token', '0| 1| 2| 3| 4| 5| 6| 7| 8| 9|', `(?<![A-Za-z0-9])\\d{15,16}\\|${w}{27,40}${endW}`, {
    before: 15,
    lead: 'digits',
    anywhere: true,
    isShort: true,
  }),
  rule('twitter-bearer', 'AAAAAAAAAAAAAAAAAAAAA', '[A-Za-z0-9%]{50,100}'),
  rule('dropbox-token', 'sl.', '[A-Za-z0-9_=-]{100,255}'),
  rule('dropbox-token', 'sl.u.', '[A-Za-z0-9_=-]{100,1500}'),
  rule('salesforce-token', '00D', `[A-Za-z0-9]{12}(?:[A-Za-z0-9]{3})?![A-Za-z0-9._]{80,260}`),
  rule('zoho-token', '1000.', `${hex}{32}\\.${hex}{32}`),
  rule('wakatime-key', 'waka_', uuid),
  // Forms that many share.
  rule('json-web-token', 'eyJ', `${w}{10,2000}\\.eyJ${w}{10,4000}\\.[A-Za-z0-9_/+-]{0,2000}`),
  rule('json-web-token', 'ZXlK', `${b64}{60,6000}={0,2}`),
  rule(
    'encrypted-web-token',
    'eyJ',
    `${w}{10,600}\\.${w}{0,800}\\.${w}{10,40}\\.${w}{10,4000}\\.${w}{10,40}${endW}`,
  ),
  rule('password-hash', '$2a$ $2b$ $2y$ $2x$', '[0-9]{2}\\$[./A-Za-z0-9]{53}'),
  rule(
    'encoded-private-key',
    'LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVkt LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0t LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZBVEUgS0VZ LS0tLS1CRUdJTiBFQyBQUklWQVRFIEtFWS0t LS0tLS1CRUdJTiBEU0EgUFJJVkFURSBLRVkt',
    '[A-Za-z0-9+/=\\\\]{40,12000}',
  ),
  rule('truenas-key', '0- 1- 2- 3- 4- 5- 6- 7- 8- 9-', `(?<![A-Za-z0-9-])\\d{1,3}-${a}{64}${endW}`, {
    before: 2,
    lead: 'digits',
    anywhere: true,
    isShort: true,
  }),
  rule(
    'password-hash',
    '$1$ $5$ $6$ $8$ $9$',
    '(?:rounds=\\d{1,9}\\$)?[./A-Za-z0-9]{1,16}\\$[./A-Za-z0-9]{22,86}',
  ),
  rule(
    'password-hash',
    '$argon2id$ $argon2i$ $argon2d$ $y$ $7$ $krb5tgs$ $krb5asrep$',
    '[A-Za-z0-9$*=,+/.:@_-]{30,4000}',
  ),
];
