/**
 * Secrets recognised by their published format: prefix, length and alphabet. Stored as text, which loads fastest in a
 * hook. A row is tried only at one of its prefixes, so every pattern is a bounded match at a fixed position; no pattern
 * may nest repetitions.
 */
export interface SecretRule {
  /** Name of the format, which is shown in place of the secret. */
  name: string;
  /** Case-sensitive. The first three characters should be rare in text: the pattern is tried at each occurrence. */
  starts: string[];
  /** Pattern after the prefix. A group in it is the secret; otherwise the prefix and the whole match are. */
  rest: string;
  /** `before=N`: N characters before the prefix belong to the secret; the pattern then covers all of it. */
  before: number;
  /** Kind of the characters before the prefix, if their number varies, up to N. */
  lead: 'digits' | 'letters' | undefined;
  /** `short`: the prefix is not distinctive, so the rest must look random. */
  isShort: boolean;
  /** `anywhere`: may be inside a longer word. Implied by `before`. */
  isAnywhere: boolean;
  /** `nocase`: the pattern ignores case. */
  ignoreCase: boolean;
}

const a = '[A-Za-z0-9]';
const b64 = '[A-Za-z0-9+/]';
const low = '[a-z0-9]';
const up = '[A-Z0-9]';
const hex = '[a-f0-9]';
const anyHex = '[A-Fa-f0-9]';
const uuid = `${anyHex}{8}-${anyHex}{4}-${anyHex}{4}-${anyHex}{4}-${anyHex}{12}`;
/** Pattern for the end of a secret. A longer run of the same characters is not this format. */
const end = '(?![A-Za-z0-9])';
const endW = '(?![A-Za-z0-9_-])';

/** Parsed on first use, because most hooks of a session have no text to redact. */
export const secretRules = (): SecretRule[] =>
  tables().flatMap((table) => table.trim().split('\n').map(toRule));

/** Parses one row of the table. Its columns are separated by two spaces: name, prefixes, pattern, options. */
function toRule(row: string): SecretRule {
  const [name = '', starts = '', rest = '', more = ''] = row.split('  ');
  const has = (word: string): boolean => more.includes(word);
  const before = Number(/\d+/.exec(more)?.[0] ?? 0);
  return {
    name,
    starts: starts.split(' '),
    rest,
    before,
    lead: has('digits') ? 'digits' : has('letters') ? 'letters' : undefined,
    isShort: has('short'),
    isAnywhere: before > 0 || has('anywhere'),
    ignoreCase: has('nocase'),
  };
}

const tables = (): string[] => [
  // Code hosting and packages.
  String.raw`
github-token  ghp_ gho_ ghu_ ghs_ ghr_  ${a}{36,255}
github-pat  github_pat_  \w{22,255}
gitlab-token  glpat- glptt- gldt- glrt- glrtr- glft- glimt- glagent- glsoat- gloas- glffct- glcbt-  [\w.=-]{20,255}
gitlab-token  GR1348941  [\w-]{20,60}
gitlab-session  _gitlab_session=  (${low}{32})
bitbucket-token  ATBB ATCTT3xFf  [\w=-]{20,255}
atlassian-token  ATATT3  [\w=-]{100,255}
npm-token  npm_  ${a}{36}${end}
npm-token  _authToken=  (${a}[\w./+=-]{15,200})  anywhere
pypi-token  pypi-  [\w-]{50,255}
rubygems-key  rubygems_  ${hex}{40,64}
crates-token  cio  ${a}{32}${end}  short
nuget-key  oy2  ${low}{43}${end}  short
clojars-token  CLOJARS_ clojars_  ${low}{60}  nocase
docker-token  dckr_pat_ dckr_oat_  [\w-]{20,60}
artifactory-key  AKC  ${low}${a}{60,90}  short nocase
artifactory-token  cmVmdGtu  ${a}{50,90}
sonar-token  sqp_ sqa_ squ_  ${a}{40}${end}
octopus-key  API-  ${up}{26}${end}  short
jetbrains-token  perm:  [\w=]{8,60}\.[\w=]{4,60}\.[\w=]{20,80}  short
teamcity-token  eyJ0eXAiOiAiVENWMiJ9.  [\w-]{20,60}\.[\w=-]{20,80}
codecov-token  codecov_  [\w-]{30,60}  short
sourcegraph-token  sgp_ slk_ sgs_ sgd_  (?:(?:local|${anyHex}{16})_)?${anyHex}{40,64}
snyk-token  snyk_uat. snyk_sat.  ${a}{6,12}\.[\w.-]{30,200}
stackhawk-key  hawk.  [\w-]{20}\.[\w-]{20}${endW}
dependency-track-key  odt_  (?:${a}{8}[_.])?${a}{20,50}  short
prefect-key  pnu_ pnb_  ${a}{36}${end}
pulumi-token  pul-  ${hex}{40}${end}
readme-key  rdme_  ${low}{60,80}
linear-key  lin_api_ lin_oauth_  ${a}{32,80}
jfrog-token  eyJ2ZXIiOiIy  [\w-]{20,2000}\.[\w-]{20,4000}\.[\w-]{20,2000}
`,
  // Clouds.
  String.raw`
aws-access-key  AKIA ASIA ABIA ACCA  (?:[A-Z2-7]{16}|(?=[A-Z]{0,15}\d)${up}{16})${end}
aws-access-key  A3T  ${up}[A-Z2-7]{16}${end}  short
aws-bedrock-key  ABSK  ${b64}{100,300}={0,2}
aws-bedrock-key  bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t  [\w+/=]{0,2000}
aws-mws-key  amzn.mws.  ${uuid}
aws-session-token  IQoJb3JpZ2luX2Vj FwoGZXIvYXdz  [\w+/=%]{60,2000}
google-api-key  AIza  [\w-]{35}${endW}
google-oauth  GOCSPX-  [\w-]{20,60}
google-oauth  ya29.  [\w.-]{20,500}
google-refresh-token  1//  0${a}[\w-]{40,200}  short
gcs-hmac-key  GOOG  1${up}{52,60}${end}  short
google-captcha-key  6L  ${a}{6}AAAAA[\w-]{25,27}${endW}
azure-client-secret  Q~  (?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])  before=4
azure-signature  sig=  ([\w%/+-]{40,80}(?:%3D|=)?)  short
azure-key  AccountKey= SharedAccessKey= accesskey= AccessKey=  (${b64}{40,100}={1,2})  anywhere
azure-devops-token  JQQJ99  ${a}{40,90}  before=60 letters
azure-devops-token  AZDO  ${a}{40,80}AZDO${a}{4}${end}  before=80 letters
azure-key  APIM ACDb AAAAACO AzSe +ACR AIoT  (?<![\w+/])[\w+/]{43,90}={0,2}(?![\w+/=])  before=80 letters short
alibaba-key  LTAI  ${a}{17,21}${end}
digitalocean-token  dop_v1_ doo_v1_ dor_v1_  ${hex}{64}
cloudflare-origin-key  v1.0-  ${hex}{24}-${hex}{100,160}
heroku-key  HRKU-  [\w-]{36,80}
fly-token  fo1_ fm1r_ fm1a_ fm2_  [\w+/=-]{43,800}
netlify-token  nfp_  [\w-]{36,60}
vercel-token  vercel_blob_rw_ vcp_ vci_ vca_ vcr_ vck_  [\w-]{24,100}  short
supabase-key  sbp_ sb_secret_  [\w-]{20,60}
planetscale-token  pscale_  (?:tkn|oauth|pw|api)_[\w=.-]{30,80}
databricks-token  dapi  ${hex}{32}(?:-\d)?${end}
snowflake-token  :1-hint:  ver:1-hint:[\w+/=-]{40,400}  before=3
scalingo-token  tk-us-  [\w-]{48}
doppler-token  dp.  (?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?${a}{40,44}
terraform-token  .atlasv1.  ${a}{14}\.atlasv1\.[\w=-]{60,70}  before=14
vault-token  hvs. hvb. hvr.  [\w-]{24,300}
vault-token  s. b. r.  ${a}{24}(?![\w.])  short
openshift-token  sha256~  [\w-]{43}
infracost-key  ico-  ${a}{32}${end}
tailscale-key  tskey-  [a-z]{2,12}-[\w-]{20,80}
clickhouse-key  4b1d  ${a}{38}${end}  short
yandex-key  AQVN YCAJE YC  [\w-]{34,60}  short
yandex-token  t1.  [\w-]{20,300}={0,2}\.[\w-]{80,90}={0,2}
kubernetes-bootstrap-token  bootstrap BOOTSTRAP  [\w-]{0,20}["'\s:=]{1,5}(${low}{6}\.${low}{16})${end}  anywhere
age-secret-key  SECRET-KEY-1  AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}  before=4
defined-networking-key  dnkey-  [\w=-]{20,100}
`,
  // Model providers.
  String.raw`
anthropic-key  sk-ant-  [\w-]{20,255}
openrouter-key  sk-or-  v1-${hex}{64}
openai-key  sk-  (?!ssh-)(?:proj-|svcacct-|admin-|None-)?[\w-]{20,255}  short
groq-key  gsk_  ${a}{40,60}
hugging-face-token  hf_ api_org_  ${a}{30,60}${endW}  short
perplexity-key  pplx-  ${a}{40,60}
replicate-token  r8_  ${a}{37,40}
xai-key  xai-  [\w-]{60,100}
nvidia-key  nvapi-  [\w-]{50,80}
pinecone-key  pcsk_  [\w-]{40,80}
tavily-key  tvly-  [\w-]{20,60}
jina-key  jina_  [\w-]{50,80}
firecrawl-key  fc-  ${hex}{32}${end}
together-key  tgp_v1_  [\w-]{40,60}
voyage-key  pa-  [\w-]{43}${endW}  short
langsmith-key  lsv2_  (?:pt|sk)_${hex}{32}_${hex}{10}
secret-key  sk_  ${a}{29,64}${end}  short
fireworks-key  fw_  ${a}{22,24}${end}  short
cerebras-key  csk-  ${low}{48}${end}
`,
  // Payment and commerce.
  String.raw`
stripe-key  sk_ rk_  (?:live|test|prod)_${a}{10,255}
webhook-secret  whsec_  [\w+/=]{24,80}
square-token  EAAA  [\w-]{56,64}${endW}  short
square-token  sq0atp- sq0csp- sq0idb- sq0idp-  [\w-]{22,60}
shopify-token  shp  (?:at|ca|pa|ss|ua)_${anyHex}{32}
paypal-token  access_token$  (?:production|sandbox)\$${low}{16}\$${hex}{32}
plaid-token  access-  (?:sandbox|development|production)-${uuid}
flutterwave-key  FLW  (?:SEC|PUB)K(?:_TEST)?-${a}{12,40}(?:-X)?
easypost-key  EZAK EZTK  ${a}{54}
duffel-token  duffel_  (?:test|live)_[\w=-]{43}
shippo-token  shippo_  (?:test|live)_${hex}{40}
gocardless-token  live_ test_  [\w=-]{40}(?![\w=-])  short
lob-key  live_ test_  (?:pub_)?${hex}{31,35}${end}  short
razorpay-key  rzp_  (?:test|live)_${a}{14,24}
lemonsqueezy-key  lmsq_  [\w-]{30,80}
sidekiq-secret  BSYS__COM bsys__com  \w{0,8}[^A-Za-z0-9]{1,12}(?:string[^A-Za-z0-9]{1,5})?(${hex}{8}:${hex}{8})${end}  anywhere
settlemint-token  sm_aat_ sm_pat_ sm_sat_  ${a}{16}
frameio-token  fio-u-  [\w=-]{64}
`,
  // Messaging and mail.
  String.raw`
slack-token  xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxe- xoxc-  (?:\d{3,14}-){1,3}[\w-]{16,255}(?![\w#*-])
slack-token  xoxa- xoxr-  ${a}{20,48}${end}  short
slack-token  xoxd-  [\w%/+=-]{40,400}
slack-token  xapp-  \d-${up}{5,20}-\d{5,20}-${low}{20,80}  nocase
slack-token  xoxe.xoxb- xoxe.xoxp- xoxe-  \d-${a}{100,255}  short
slack-webhook  hooks.slack.com/  (?:services|workflows|triggers)/[\w/-]{20,120}  anywhere
discord-webhook  discord.com/ discordapp.com/  api/webhooks/\d{15,22}/([\w-]{50,90})  anywhere
teams-webhook  webhook.office.com/webhookb2/ outlook.office.com/webhook/ outlook.office365.com/webhook/  [\w@%-]{20,120}/IncomingWebhook/[\w/-]{30,120}  anywhere
telegram-token  :A  (?:(?<!${a})|(?<=[bB]ot))\d{5,16}:A[\w-]{33,34}${endW}  before=16 digits
sendgrid-key  SG.  [\w-]{16,32}\.[\w-]{16,64}
sendinblue-key  xkeysib- xsmtpsib-  ${hex}{64}-${a}{16}
mailgun-key  key- pubkey-  ${hex}{32}${end}
mailchimp-key  -us  (?<!${a})${hex}{32}-us\d{1,2}${end}  before=32
twilio-key  SK  ${anyHex}{32}${end}
resend-key  re_  ${a}{8}_${a}{20,30}  short
postman-key  PMAK-  ${hex}{24}-${hex}{34}
zapier-hook  hooks.zapier.com/hooks/catch/  [\w/]{8,40}  anywhere
`,
  // Project management and monitoring.
  String.raw`
notion-token  ntn_  \d{11}${a}{30,40}${end}
notion-token  secret_  ${a}{43}${end}
figma-token  figd_ figo_ figu_ figoh_ figor_  [\w-]{30,60}
airtable-token  pat  ${a}{14}\.${hex}{64}
hubspot-token  pat-na1- pat-eu1- pat-na2-  ${uuid}
contentful-token  CFPAT-  [\w-]{40,60}
asana-token  1/ 2/ 0/  \d{12,20}(?:/\d{12,20})?:${hex}{32}
typeform-token  tfp_  [\w.=-]{44,70}
dynatrace-token  dt0  [cs]\d\d\.${up}{8,24}\.${up}{40,70}  nocase
grafana-token  glsa_  ${a}{32}_${anyHex}{8}
grafana-token  glc_  ${b64}{30,400}={0,3}
grafana-key  eyJrIjoi  ${b64}{40,400}={0,3}
sentry-token  sntryu_  ${hex}{64}${end}
sentry-token  sntrys_  eyJ[\w+/=-]{40,400}_[\w+/-]{43}(?![\w+/-])
new-relic-key  NRAK- NRII- NRIQ- NRJS- NRAA- NRRA- NRSP- NRBR-  [\w-]{19,48}
new-relic-key  NRAL  (?<!${a})${a}{36}NRAL${end}  before=36
launchdarkly-key  sdk- api- mob-  ${uuid}${end}
posthog-key  phx_ phs_  ${a}{40,60}
segment-token  sgp_  ${a}{64}
datadog-key  ddapi_ ddapp_  ${a}{30,60}
honeycomb-key  hcaik_ hcbik_ hcxik_ hcaic_  ${low}{30,70}
maxmind-key  _mmk  ${a}{6}_${a}{29}_mmk${end}  before=36
endor-key  dr+  endr\+[\w-]{16}  before=2
mapbox-token  pk.eyJ sk.eyJ tk.eyJ  [\w-]{20,300}\.[\w-]{20,60}
intra42-secret  s-s4t2ud- s-s4t2af-  ${hex}{64}
thingsboard-token  gsboard  [\w.:-]{0,40}/api/v1/([\w-]{20})/  anywhere
adafruit-key  aio_  ${a}{28}${end}
adobe-secret  p8e-  ${a}{32}  nocase
one-password-key  A3-  ${up}{6}-(?:${up}{11}|${up}{6}-${up}{5})(?:-${up}{5}){3}
one-password-token  ops_eyJ  [\w+/-]{100,2000}={0,3}
authress-key  sc_ ext_ scauth_ authress_  ${low}{5,30}\.${low}{4,6}\.acc[_-][a-z0-9-]{10,32}\.[a-z0-9+/_=-]{30,120}  nocase
harness-token  pat. sat.  [\w-]{22}\.${a}{24}\.${a}{20}
facebook-token  EAA  [B-JM]${a}{60,400}
facebook-token  EAA  ${a}{90,400}(?![\w+/=-])  short
facebook-token  0| 1| 2| 3| 4| 5| 6| 7| 8| 9|  (?<!${a})\d{15,16}\|[\w-]{27,40}${endW}  before=15 digits short
twitter-bearer  AAAAAAAAAAAAAAAAAAAAA  [\w%]{50,100}
dropbox-token  sl.  [\w=-]{100,255}
dropbox-token  sl.u.  [\w=-]{100,1500}
salesforce-token  00D  ${a}{12}(?:${a}{3})?![\w.]{80,260}
zoho-token  1000.  ${hex}{32}\.${hex}{32}
wakatime-key  waka_  ${uuid}
ntlm-hash  :::  (?<!${anyHex})${anyHex}{32}:${anyHex}{32}:::  before=65
firebase-key  :APA91b  AAAA[\w-]{7}:APA91b[\w-]{100,160}  before=11
presigned-url  X-Amz-Signature= X-Goog-Signature=  (${hex}{64,600})  anywhere
presigned-url  &Signature= ?Signature=  ([\w~-]{64,700})  anywhere
codeclimate-token  CC_TEST_REPORTER_ID  ["'\s:=]{1,5}(${hex}{64})  anywhere
clickup-token  pk_  \d{5,12}_${up}{32}${end}
pagerduty-key  u+  [\w-]{18}${endW}  short
lark-webhook  /bot/v2/hook/  ${uuid}  anywhere
`,
  // Providers with a prefix but no fixed format.
  String.raw`
api-token  napi_ rnd_ e2b_ bkua_ bkaj_ bkct_ CCIPAT_ CCIPRJ_ zpka_ mlsn. os_v2_app_ os_v2_org_ pdl_live_apikey_ pdl_sdbx_apikey_ polar_oat_ polar_pat_ polar_whs_ ddp_ ddo_ ory_at_ ory_pat_ ory_st_ permit_key_ signkey-prod- signkey-test- signkey-staging- secret-live- secret-test- tr_prod_ tr_dev_ tr_stg_ da2- AKID AKLT bce-v3/ALTAK- y0_ ls__ wandb_v1_ AQ.Ab8 oauth: bb_live_ dG9rOj apify_api_ sk-lf-  [\w./+=-]{20,255}  short
api-token  ctx7sk- crsr_ key_ sgamp_user_ jsrp_ jsrd_ esecret_ rpa_ dtn_ sk-helicone- sk_car_ m0- luma- cal_live_ cal_ api_live. BSA nsct_ depot_user_ depot_org_ depot_project_ gitpod_pat_ chpt_ sktsec_ n8n_api_ retool_01 mdb_sa_sk_ CCDB1_ xau_ essu_ xaat- xapt- cu_ prj_live_sk_ prj_test_sk_ dvc_server_ configcat-sdk-1/ secret_admin_ tc_ dyn_ ES_ QN_ pina_ persona_production_ persona_sandbox_ dub_ tly- kit_ md- sec-c- syt_ mct_ bxt_ secret-token:mercury_ xnd_production_ xnd_development_ Mid-server- SB-Mid-server- skey_ v2.local. v4.local. v2.public. v4.public. ucat_ EXO cfut_ cfat_ cfk_ cfoat_ nfc_ nfo_ nfu_ nfb_ PMAT- packagist_ ATTA bpk- WPL_AP1. act. clt. IGQ IGA ramp_ sk_prod_ akab- pst- AQE stkn_ pat_ tok_ access_ secret_ apikey_ api_key_ token_ auth_ svc_ svcacct_ rt_ at_ ak_ as_ ak- as- uak_ oat_ sat_ ck_  [\w./+:-]{20,255}={0,2}  short
`,
  // Formats without a prefix.
  String.raw`
chromatic-token  chpt_  ${hex}{12,20}${end}
turnstile-secret  0x4AAAAAAA  [\w-]{14,40}${endW}
wallet-key  xprv zprv yprv tprv  [1-9A-HJ-NP-Za-km-z]{100,112}${end}
nostr-key  nsec1  [02-9ac-hj-np-z]{58}${end}
trello-token  ATTA  ${hex}{64}${anyHex}{0,12}${end}
rapidapi-key  msh  (?<!${a})${low}{10,11}msh${hex}{15}p1${hex}{5}jsn${hex}{12}${end}  before=10
backblaze-key  K00  \d[\w+/]{27}(?![\w+/])  short
telnyx-key  KEY  0${anyHex}{31}_[\w]{22}${end}
convex-key  prod: dev: preview:  [\w-]{4,40}\|eyJ[\w+/=-]{20,400}
bitwarden-token  0.  ${uuid}\.[\w+/=-]{20,60}:[\w+/=-]{16,60}
azure-function-key  code=  ([\w/+-]{52,60}={0,2})  short
private-key  b3BlbnNzaC1rZXktdjE MHcCAQEEI MC4CAQAwBQYDK2VwBCIEI MIGHAgEAMBMGByqGSM49 MIGEAgEAMBAGByqGSM49 MIIEvQIBADAN MIIEvgIBADAN MIIEvwIBADAN MIIJQgIBADAN MIIJQwIBADAN MIIJRAIBADAN MIIEpAIBAA MIIEowIBAA MIIEogIBAA MIIEpQIBAA MIIJKQIBAA MIIJKgIBAA MIIJKAIBAA  ${b64}{20,6000}={0,2}
`,
  // Generic formats.
  String.raw`
json-web-token  eyJ  [\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w/+-]{0,2000}
json-web-token  ZXlK  ${b64}{60,6000}={0,2}
encrypted-web-token  eyJ  [\w-]{10,600}\.[\w-]{0,800}\.[\w-]{10,40}\.[\w-]{10,4000}\.[\w-]{10,40}${endW}
password-hash  $2a$ $2b$ $2y$ $2x$  \d\d\$[\w./]{53}
encoded-private-key  LS0tLS1CRUdJTi  (?=.{0,17}(?:UFJJVkFUR|QUklWQVRF|FBSSVZBVE))[A-Za-z0-9+/=\\]{40,12000}
truenas-key  0- 1- 2- 3- 4- 5- 6- 7- 8- 9-  (?<![\w-])\d{1,3}-${a}{64}${endW}  before=2 digits short
password-hash  $1$ $5$ $6$ $8$ $9$ $apr1$  (?:rounds=\d{1,9}\$)?[\w./]{1,16}\$[\w./]{22,86}
password-hash  {S  (?:S?HA(?:256|384|512)?|MD5)\}[\w+/=]{24,120}  anywhere
password-hash  $P$ $H$ $S$  [\w./]{31,55}
password-hash  $pbkdf2 pbkdf2_sha SCRAM-SHA-256$  [\w$:./+=-]{40,200}
password-hash  $argon2id$ $argon2i$ $argon2d$ $y$ $7$ $krb5tgs$ $krb5asrep$  [\w$*=,+/.:@-]{30,4000}
`,
];
