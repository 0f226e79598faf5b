import { describe, expect, it } from 'vitest';
import { createKeywordTable } from './keyword-finder.ts';
import { formatKeywords, keywordSpans, redact } from './redact.ts';
import { type SecretRule, secretRules } from './secret-formats.ts';

/**
 * Examples of every row of `secret-formats.ts`, in the words of the vendor and independent of the row's pattern.
 * The tokens are made when the test runs, so that no scanner finds one in the repository.
 *
 * The columns are separated by two spaces:
 * 1. The row's name; `name#2` is the second row with this name.
 * 2. All prefixes of the row.
 * 3. Forms of the secret after the prefix, separated by ` | `. `<a36>` is 36 characters of the alphabet `a`, see
 *    `alphabets`. `^` is the position of the prefix, if it is not the start. If only a part of the text is the secret,
 *    it is in brackets.
 * 4. Look-alikes that must stay: names of `nearMisses`, which change the first form, then texts after ` | `.
 */
const examples = `
github-token  ghp_ gho_ ghu_ ghs_ ghr_  <a36>  inside shorter other same | ghp_short and the_ghp_table
github-pat  github_pat_  <a22>_<a59>  inside same | github_pat_expiry
gitlab-token  glpat- glptt- gldt- glrt- glrtr- glft- glimt- glagent- glsoat- gloas- glffct- glcbt-  <w20> | <w27>.<l2>.<l9>  inside shorter other same | glpat-none
gitlab-token#2  GR1348941  <w20>  inside shorter other same
gitlab-session  _gitlab_session=  ^[<l32>]  inside shorter other
bitbucket-token  ATBB ATCTT3xFf  <w28><a8> | <w180>=<u8>  inside same | ATBB-board and ATCTT3xFf
atlassian-token  ATATT3  xFf<w180>=<u8>  inside same | ATATT3 is a prefix
npm-token  npm_  <a36>  inside longer shorter other same | npm_config_registry and npm_lifecycle_event
npm-token#2  _authToken=  ^[<uuid>] | ^[<b40>==]  same | _authToken=$NPM_TOKEN
pypi-token  pypi-  AgEIcHlwaS5vcmc<w150>  inside same | pypi-server and pypi-publish-to-the-test-index
rubygems-key  rubygems_  <x48>  inside half other same
crates-token  cio  <a32>  inside longer shorter other same words
nuget-key  oy2  <l43>  inside longer shorter other same words
clojars-token  CLOJARS_ clojars_  <l60> | <u60>  inside shorter same
docker-token  dckr_pat_ dckr_oat_  <w27>  inside half other same | dckr_pat_name
artifactory-key  AKC  p8<a68>  inside half other same words
artifactory-token  cmVmdGtu  OjAxOj<a50>  inside half other same
sonar-token  sqp_ sqa_ squ_  <x40>  inside longer shorter same
octopus-key  API-  <u26>  inside longer shorter other same words
jetbrains-token  perm:  <a12>=.<a8>==.<a30>  inside same words
teamcity-token  eyJ0eXAiOiAiVENWMiJ9.  <w27>.<w48>  inside | eyJ0eXAiOiAiVENWMiJ9. is a header
codecov-token  codecov_  <w40>  inside half other same words
sourcegraph-token  sgp_ slk_ sgs_ sgd_  <h16>_<x40> | local_<x40> | <x40> | <x64>  inside shorter other same
snyk-token  snyk_uat. snyk_sat.  <x8>.<w60>.<w60>  inside same | snyk_uat.json and snyk_sat.log
stackhawk-key  hawk.  <w20>.<w20>  inside longer shorter other same
dependency-track-key  odt_  <a32> | <a8>_<a32>  inside half other same words
prefect-key  pnu_ pnb_  <a36>  inside longer shorter other same
pulumi-token  pul-  <x40>  inside longer shorter other same
readme-key  rdme_  <l70>  inside half other same
linear-key  lin_api_ lin_oauth_  <a40> | <x64>  inside half other same | lin_api_client and lin_oauth_scopes
jfrog-token  eyJ2ZXIiOiIy  <w120>.<w200>.<w342>  inside | eyJ2ZXIiOiIy is a header
aws-access-key  AKIA ASIA ABIA ACCA  <t16> | <u16>  inside longer shorter other same | AKIAN is a name and ASIA-PACIFIC-SOUTHEAST
aws-access-key#2  A3T  <u1><t16>  inside longer shorter other same words
aws-bedrock-key  ABSK  <b109>== | <b130>=  inside half other same
aws-bedrock-key#2  bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t  <b200>==  inside | bedrock-api-key-rotation-for-the-billing-service
aws-mws-key  amzn.mws.  <uuid>  inside shorter other same
aws-session-token  IQoJb3JpZ2luX2Vj FwoGZXIvYXdz  <b300>==  inside | IQoJb3JpZ2luX2Vj is a prefix
google-api-key  AIza  <w35>  inside longer shorter other same | AIzawa
google-oauth  GOCSPX-  <w28>  inside half other same
google-oauth#2  ya29.  a0<w160> | c.<w100>  inside same | ya29.com and ya29.log
google-refresh-token  1//  0<a1><w60>  inside other same words
gcs-hmac-key  GOOG  1E<t56>  inside half other same words
google-captcha-key  6L  <a6>AAAAA<w27>  inside longer half other same
azure-client-secret  Q~  <w3>8^<w34>  inside longer half other same | FAQ~1.TXT
azure-signature  sig=  ^[<b43>%3D] | ^[<b43>=]  inside half same words | sig=none
azure-key  AccountKey= SharedAccessKey= accesskey= AccessKey=  ^[<b43>=] | ^[<b86>==]  half other same
azure-devops-token  JQQJ99  <a52>^<a18>AZDO<a4>  same | JQQJ99 is a signature
azure-devops-token#2  AZDO  <a76>^<a4>  longer half other same
azure-key#2  APIM ACDb AAAAACO AzSe +ACR AIoT  <b76>^<b6>== | <b42>^<b6>  longer same words
alibaba-key  LTAI  <a20> | <a17>  inside half other same
digitalocean-token  dop_v1_ doo_v1_ dor_v1_  <x64>  inside shorter other same | dop_v1_docs
cloudflare-origin-key  v1.0-  <x24>-<x146>  inside half other same
heroku-key  HRKU-  <uuid> | AA<w58>  inside shorter same | HRKU-staging
fly-token  fo1_ fm1r_ fm1a_ fm2_  <w43> | <b200>==  inside shorter other same
netlify-token  nfp_  <a36>  inside shorter same
vercel-token  vercel_blob_rw_ vcp_ vci_ vca_ vcr_ vck_  <a24> | <a16>_<a30>  inside shorter same words
supabase-key  sbp_ sb_secret_  <x40> | <w22>_<a8>  inside same | sbp_config and sb_secret_name
planetscale-token  pscale_  tkn_<w43> | oauth_<w43> | pw_<w43> | api_<w43>  inside half other same
databricks-token  dapi  <x32> | <x32>-2  inside longer shorter other same
snowflake-token  :1-hint:  ver^<d12>-<b180>  same | ver:1-hint:none
scalingo-token  tk-us-  <w48>  inside shorter other same
doppler-token  dp.  pt.<a43> | st.prd_eu.<a43> | ct.<a43> | sa.<a43> | scim.<a43> | audit.<a43>  inside half other same
terraform-token  .atlasv1.  <a14>^<w67>  half other same
vault-token  hvs. hvb. hvr.  <w24> | <w95> | <w180>  inside shorter other same
vault-token#2  s. b. r.  <a24>  inside longer shorter other same words | s.toString() and r.headers
openshift-token  sha256~  <w43>  inside shorter other same
infracost-key  ico-  <a32>  inside longer shorter other same
tailscale-key  tskey-  auth-<a16>CNTRL-<a32> | api-<a16>CNTRL-<a32>  inside same | tskey-auth and tskey-client-docs
clickhouse-key  4b1d  <a38>  inside longer shorter other same words
yandex-key  AQVN YCAJE YC  <w35> | <w38>  inside half other same words
yandex-token  t1.  <w200>.<w86>  inside other same
kubernetes-bootstrap-token  bootstrap BOOTSTRAP  ^_token: "[<l6>.<l16>]" | ^-token=[<l6>.<l16>]  shorter other same
age-secret-key  SECRET-KEY-1  AGE-^<q58>  shorter other
defined-networking-key  dnkey-  <l26>-<l52>  inside same | dnkey-rotation
anthropic-key  sk-ant-  api03-<w93>AA | oat01-<w93>AA  inside same | sk-ant-hill
openrouter-key  sk-or-  v1-<x64>  inside shorter other same
openai-key  sk-  <a48> | proj-<w74>T3BlbkFJ<w74> | svcacct-<w80> | admin-<w80> | None-<w48>  inside same words | a task-list-of-many-things-to-do and sk-learn
groq-key  gsk_  <a52>  inside half other same
hugging-face-token  hf_ api_org_  <a34>  inside half other same words | hf_hub_download
perplexity-key  pplx-  <a48>  inside half other same
replicate-token  r8_  <a37>  inside shorter other same
xai-key  xai-  <a80>  inside half same
nvidia-key  nvapi-  <w64>  inside half other same
pinecone-key  pcsk_  <a6>_<a63>  inside same | pcsk_index_name
tavily-key  tvly-  <a32> | dev-<a32>  inside half same
jina-key  jina_  <x32><w28>  inside half same
firecrawl-key  fc-  <x32>  inside longer shorter other same
together-key  tgp_v1_  <w43>  inside half other same
voyage-key  pa-  <w43>  inside longer shorter other same words
langsmith-key  lsv2_  pt_<x32>_<x10> | sk_<x32>_<x10>  inside shorter other same
secret-key  sk_  <x48>  inside half same words | sk_buff
fireworks-key  fw_  <a22> | <a24>  inside shorter other same words
cerebras-key  csk-  <l48>  inside longer shorter other same
stripe-key  sk_ rk_  live_<a24> | test_<a99> | prod_<a24>  inside same | task_live_status and sk_test_mode
webhook-secret  whsec_  <a32> | <b32>=  inside half same
square-token  EAAA  <w60>  inside half other same words
square-token#2  sq0atp- sq0csp- sq0idb- sq0idp-  <w22> | <w43>  inside shorter other same
shopify-token  shp  at_<x32> | ca_<x32> | pa_<x32> | ss_<x32> | ua_<x32> | at_<h32>  inside shorter other same
paypal-token  access_token$  production$<l16>$<x32> | sandbox$<l16>$<x32>  inside shorter other
plaid-token  access-  sandbox-<uuid> | development-<uuid> | production-<uuid>  inside shorter other same
flutterwave-key  FLW  SECK_TEST-<x32>-X | SECK_TEST-<x12> | SECK-<x32>-X | PUBK_TEST-<x32>-X | PUBK-<x32>-X  inside same | FLWSECK_TEST and FLWPUBK-name
easypost-key  EZAK EZTK  <a54>  inside shorter other same
duffel-token  duffel_  test_<w43> | live_<w43>  inside shorter other same
shippo-token  shippo_  live_<x40> | test_<x40>  inside shorter other same
gocardless-token  live_ test_  <w40>  inside longer shorter other same words | live_reload_of_the_development_server and test_that_the_queue_is_empty_after_the_last_job
lob-key  live_ test_  <x35> | pub_<x31>  inside longer half other same words
razorpay-key  rzp_  live_<a14> | test_<a14>  inside shorter other same
lemonsqueezy-key  lmsq_  <w40>  inside half other same
sidekiq-secret  BSYS__COM bsys__com  ^=[<x8>:<x8>] | ^: "[<x8>:<x8>]"  longer shorter other same
settlemint-token  sm_aat_ sm_pat_ sm_sat_  <a16>  inside shorter other same
frameio-token  fio-u-  <w64>  inside shorter other same
slack-token  xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxe- xoxc-  <d12>-<d13>-<a24> | <d12>-<d12>-<d13>-<x32> | <d10>-<a24>  inside same | xoxb-bot-token-of-the-release-channel
slack-token#2  xoxa- xoxr-  <a48> | <a20>  inside longer same words
slack-token#3  xoxd-  <a30>%2B<a60>%2F<a20>%3D  inside same | xoxd-cookie
slack-token#4  xapp-  1-A<u10>-<d13>-<x64> | 1-a<l10>-<d13>-<u64>  inside same | xapp-1-none
slack-token#5  xoxe.xoxb- xoxe.xoxp- xoxe-  1-<a166> | 1-<a146>  inside half other same words
slack-webhook  hooks.slack.com/  services/T<u10>/B<u10>/<a24> | workflows/T<u10>/A<u10>/<d18>/<a24> | triggers/T<u10>/<d13>/<x32>  | https://hooks.slack.com/services and https://hooks.slack.com/docs
discord-webhook  discord.com/ discordapp.com/  api/webhooks/<d18>/[<w68>] | api/webhooks/1234567890123456789/[<w68>]  half other | https://discord.com/api/webhooks/docs
teams-webhook  webhook.office.com/webhookb2/ outlook.office.com/webhook/ outlook.office365.com/webhook/  <uuid>@<uuid>/IncomingWebhook/<x32>/<uuid>  | https://acme.webhook.office.com/webhookb2/docs
telegram-token  :A  <d10>^A<w33> | <d8>^A<w33>  inside longer other same | 12:AM and 10:Adding
sendgrid-key  SG.  <w22>.<w43>  inside same | SG.com and SG.UTF-8.txt
sendinblue-key  xkeysib- xsmtpsib-  <x64>-<a16>  inside shorter other same
mailgun-key  key- pubkey-  <x32>  inside longer shorter other same | key-of-the-map
mailchimp-key  -us  <x32>^<d2> | <x32>^<d1>  inside longer other same | queue-us1 and queue-us2
twilio-key  SK  <x32>  inside longer shorter other same | SKILLS and SK1024
resend-key  re_  <a8>_<a24>  inside half other same words
postman-key  PMAK-  <x24>-<x34>  inside shorter other same
zapier-hook  hooks.zapier.com/hooks/catch/  <d7>/<l7>/  | https://hooks.zapier.com/hooks/catch/
notion-token  ntn_  <d11><a35>  inside half other same
notion-token#2  secret_  <a43>  inside longer shorter other same | secret_access_key_of_the_user
figma-token  figd_ figo_ figu_ figoh_ figor_  <w40>  inside half other same
airtable-token  pat  <a14>.<x64>  inside shorter other same | pattern.test
hubspot-token  pat-na1- pat-eu1- pat-na2-  <uuid>  inside shorter other same
contentful-token  CFPAT-  <w43>  inside half other same
asana-token  1/ 2/ 0/  <d16>:<x32> | <d16>/<d16>:<x32>  inside half other same | 1/2 and 0/1
typeform-token  tfp_  <w44>_<w14>  inside same | tfp_form_of_the_signup_page
dynatrace-token  dt0  c01.<u24>.<u64> | s16.<u8>.<u64> | c01.<l24>.<l64>  inside same | dt0c01.example.com
grafana-token  glsa_  <a32>_<x8> | <a32>_<h8>  inside shorter other same
grafana-token#2  glc_  eyJ<b120>== | <b32>  inside same | glc_name
grafana-key  eyJrIjoi  <b76>==  inside half other same
sentry-token  sntryu_  <x64>  inside longer shorter other same
sentry-token#2  sntrys_  eyJpYXQiO<b120>==_<b43>  inside longer same
new-relic-key  NRAK- NRII- NRIQ- NRJS- NRAA- NRRA- NRSP- NRBR-  <u27> | <w32> | <x19>  inside half same
new-relic-key#2  NRAL  <x36>^ | <x32>FFFF^  inside longer shorter same
launchdarkly-key  sdk- api- mob-  <uuid>  inside longer shorter other same | api-docs and mob-programming
posthog-key  phx_ phs_  <a43> | <a47>  inside half other same
segment-token  sgp_  <a64>  inside shorter other same
datadog-key  ddapi_ ddapp_  <a34>  inside half other same
honeycomb-key  hcaik_ hcbik_ hcxik_ hcaic_  <l58>  inside half other same
maxmind-key  _mmk  <a6>_<a29>^  longer shorter other same
endor-key  dr+  en^<w16>  shorter other same
mapbox-token  pk.eyJ sk.eyJ tk.eyJ  <w80>.<w22>  inside other same
intra42-secret  s-s4t2ud- s-s4t2af-  <x64>  inside shorter other same
thingsboard-token  gsboard  ^.cloud/api/v1/[<a20>]/telemetry  shorter same
adafruit-key  aio_  <a28>  inside longer shorter other same
adobe-secret  p8e-  <l32> | <u32>  inside shorter same
one-password-key  A3-  <u6>-<u11>-<u5>-<u5>-<u5> | <u6>-<u6>-<u5>-<u5>-<u5>-<u5>  inside shorter other same
one-password-token  ops_eyJ  <b250>== | <w600>  inside same | ops_eyJ
authress-key  sc_ ext_ scauth_ authress_  <l12>.<l5>.acc-<l12>.<l60>  inside same | sc_main.users.account_name
harness-token  pat. sat.  <w22>.<a24>.<a20>  inside shorter other same | pat.match
facebook-token  EAA  C<a180> | M<a100>  inside same | EAAccess
facebook-token#2  EAA  Z<a180>  inside other same words
facebook-token#3  0| 1| 2| 3| 4| 5| 6| 7| 8| 9|  <d15>^<w27> | <d14>^<w40>  inside half other same words | 1|2|3
twitter-bearer  AAAAAAAAAAAAAAAAAAAAA  <a60>%3D<a30>  inside | AAAAAAAAAAAAAAAAAAAAAAAA==
dropbox-token  sl.  <w136>  inside half other same
dropbox-token#2  sl.u.  A<w1200>  inside same | sl.u.example
salesforce-token  00D  <a12>!<a40>.<a55> | <a15>!<a40>_<a55>  inside half same
zoho-token  1000.  <x32>.<x32>  inside shorter other same | 1000.50
wakatime-key  waka_  <uuid>  inside shorter other same
ntlm-hash  :::  <x32>:<x32>^ | <h32>:<h32>^  shorter other same | std:::vector and Foo:::Bar
firebase-key  :APA91b  AAAA<w7>^<w134>  half other same
presigned-url  X-Amz-Signature= X-Goog-Signature=  ^[<x64>] | ^[<x512>]  shorter other | X-Amz-Signature=<signature>
presigned-url#2  &Signature= ?Signature=  ^[<w120>] | ^[<w64>~~<w90>__]  half same | &Signature=required
codeclimate-token  CC_TEST_REPORTER_ID  ^=[<x64>] | ^: "[<x64>]"  shorter other
clickup-token  pk_  <d8>_<u32>  inside longer half other same
pagerduty-key  u+  <w18>  inside longer shorter other same words | u+0041
lark-webhook  /bot/v2/hook/  <uuid>  shorter other
api-token  napi_ rnd_ e2b_ bkua_ bkaj_ bkct_ CCIPAT_ CCIPRJ_ zpka_ mlsn. os_v2_app_ os_v2_org_ pdl_live_apikey_ pdl_sdbx_apikey_ polar_oat_ polar_pat_ polar_whs_ ddp_ ddo_ ory_at_ ory_pat_ ory_st_ permit_key_ signkey-prod- signkey-test- signkey-staging- secret-live- secret-test- tr_prod_ tr_dev_ tr_stg_ da2- AKID AKLT bce-v3/ALTAK- y0_ ls__ wandb_v1_ AQ.Ab8 oauth: bb_live_ dG9rOj apify_api_ sk-lf-  <a40>  inside same words | rnd_seed_of_the_next_generator_call
api-token#2  ctx7sk- crsr_ key_ sgamp_user_ jsrp_ jsrd_ esecret_ rpa_ dtn_ sk-helicone- sk_car_ m0- luma- cal_live_ cal_ api_live. BSA nsct_ depot_user_ depot_org_ depot_project_ gitpod_pat_ chpt_ sktsec_ n8n_api_ retool_01 mdb_sa_sk_ CCDB1_ xau_ essu_ xaat- xapt- cu_ prj_live_sk_ prj_test_sk_ dvc_server_ configcat-sdk-1/ secret_admin_ tc_ dyn_ ES_ QN_ pina_ persona_production_ persona_sandbox_ dub_ tly- kit_ md- sec-c- syt_ mct_ bxt_ secret-token:mercury_ xnd_production_ xnd_development_ Mid-server- SB-Mid-server- skey_ v2.local. v4.local. v2.public. v4.public. ucat_ EXO cfut_ cfat_ cfk_ cfoat_ nfc_ nfo_ nfu_ nfb_ PMAT- packagist_ ATTA bpk- WPL_AP1. act. clt. IGQ IGA ramp_ sk_prod_ akab- pst- AQE stkn_ pat_ tok_ access_ secret_ apikey_ api_key_ token_ auth_ svc_ svcacct_ rt_ at_ ak_ as_ ak- as- uak_ oat_ sat_ ck_  <a40>  inside same words | key_of_the_first_entry and token_count
chromatic-token  chpt_  <x12> | <x15>  inside shorter other same
turnstile-secret  0x4AAAAAAA  <w25>  inside half other same
wallet-key  xprv zprv yprv tprv  <e107>  inside half other same
nostr-key  nsec1  <n58>  inside longer shorter other same
trello-token  ATTA  <x64> | <x64><h8>  inside shorter other same
rapidapi-key  msh  <x10>^<x15>p1<x5>jsn<x12>  inside longer shorter same
backblaze-key  K00  1<b27>  inside longer shorter same words
telnyx-key  KEY  0<h31>_<a22>  inside longer shorter same
convex-key  prod: dev: preview:  happy-otter-123|eyJ<b60>==  inside same | prod:eu-west-1|main and dev:server
bitwarden-token  0.  <uuid>.<a30>:<b22>==  inside half same
azure-function-key  code=  ^[<b54>==] | ^[<w52>==]  inside half same words | code=200 and code=ERR_MODULE_NOT_FOUND
private-key  b3BlbnNzaC1rZXktdjE MHcCAQEEI MC4CAQAwBQYDK2VwBCIEI MIGHAgEAMBMGByqGSM49 MIGEAgEAMBAGByqGSM49 MIIEvQIBADAN MIIEvgIBADAN MIIEvwIBADAN MIIJQgIBADAN MIIJQwIBADAN MIIJRAIBADAN MIIEpAIBAA MIIEowIBAA MIIEogIBAA MIIEpQIBAA MIIJKQIBAA MIIJKgIBAA MIIJKAIBAA  <b60>==  inside | MIIEpAIBAA is a prefix
json-web-token  eyJ  <w33>.eyJ<w80>.<w43> | <w33>.eyJ<w80>.<w342>  inside same | keyJar.keyJoin.other and eyJ.eyJ.x
json-web-token#2  ZXlK  <b300>==  inside same | ZXlK is a prefix
encrypted-web-token  eyJ  <w60>.<w342>.<w16>.<w120>.<w22>  inside same | eyJ.a.b.c.d
password-hash  $2a$ $2b$ $2y$ $2x$  12$<a53>  inside shorter same
encoded-private-key  LS0tLS1CRUdJTi  BSU0EgUFJJVkFURSBLRVktLS0tLQ<a300>== | BQUklWQVRFIEtFWS0tLS0tCg<a300>== | AFBSSVZBVEUgS0VZLS0tLS0K<a300>==  inside | LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t
truenas-key  0- 1- 2- 3- 4- 5- 6- 7- 8- 9-  <a64>  inside longer shorter other same words | 1-2-3
password-hash#2  $1$ $5$ $6$ $8$ $9$ $apr1$  <a8>$<a22> | <a16>$<a86> | rounds=5000$<a16>$<a43>  inside same | $1$ and $6$ are prefixes of crypt
password-hash#3  {S  SHA}<b32> | HA}<b27>= | HA256}<b43>= | HA512}<b86>== | MD5}<b32>  half same
password-hash#4  $P$ $H$ $S$  B<a30> | D<a51>  inside shorter same
password-hash#5  $pbkdf2 pbkdf2_sha SCRAM-SHA-256$  -sha256$29000$<a22>$<a43> | 256$600000$<a22>$<b43>=  inside same | pbkdf2_sha256 and $pbkdf2
password-hash#6  $argon2id$ $argon2i$ $argon2d$ $y$ $7$ $krb5tgs$ $krb5asrep$  v=19$m=65536,t=3,p=4$<b22>$<b43>  inside same | $argon2id$v=19$m=65536
`;

const lower = 'qzkxvjwpfbnrgtmhdcylsauoie';
const upper = 'XQKZJVWPGBFNTRMHDCYLSAUOIE';
const digits = '7305918264';

/**
 * Characters of each alphabet, and some that are not in it: alphanumeric, base64, digits, base58, hexadecimal in both
 * cases, lower case and digits, bech32 (`n` and `q`), base32, upper case and digits, base64url, hexadecimal.
 */
const alphabets: Record<string, { inside: string; outside: string }> = {
  a: { inside: lower + upper + digits, outside: '_-' },
  b: { inside: `${lower}${upper}${digits}+/`, outside: '_-' },
  d: { inside: digits, outside: 'aF' },
  e: { inside: `${lower}${upper}${digits}`.replaceAll(/[0OIl]/g, ''), outside: '0l' },
  h: { inside: 'faBdCeDAcbEF7305918264', outside: 'gG' },
  l: { inside: lower + digits, outside: 'Q_' },
  n: { inside: `${lower}${digits}`.replaceAll(/[1bio]/g, ''), outside: 'bQ' },
  q: { inside: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', outside: 'B1' },
  t: { inside: `${upper}234567`, outside: 'q_' },
  u: { inside: upper + digits, outside: 'q_' },
  w: { inside: `${lower}${upper}${digits}_-`, outside: '!,' },
  x: { inside: 'fabdce7305918264', outside: 'gG' },
};

const insideOf = (alphabet: string): string => alphabets[alphabet]?.inside ?? '';
const outsideOf = (alphabet: string): string => alphabets[alphabet]?.outside ?? '';

/** Always the same characters for the same seed, with a lower-case letter, an upper-case letter, a digit and a symbol. */
function characters(alphabet: string, count: number, seed: number): string {
  const inside = insideOf(alphabet);
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/].map((kind) =>
    [...inside].filter((c) => kind.test(c)),
  );
  let state = (seed * 2_654_435_761 + count * 40_503) >>> 0;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
  return Array.from({ length: count }, (_, at) => {
    const kind = at < 4 * 3 && at % 3 === 1 ? kinds[Math.floor(at / 3)] : undefined;
    const choice = kind !== undefined && kind.length > 0 && at < count - 1 ? kind : [...inside];
    const found = choice[next() % choice.length] as string;
    // A symbol at the end would look like punctuation.
    return at === count - 1 && /[^a-zA-Z\d]/.test(found) ? (inside[next() % 6] as string) : found;
  }).join('');
}

type Fill = (alphabet: string, count: number, at: number) => string;

const uuid = '<x8>-<x4>-<x4>-<x4>-<x12>';
const fields = /<([a-z])(\d+)>/g;

/** The text of a form, and where in it the secret is. */
function textOf(form: string, prefix: string, fill: Fill): { text: string; secret: string } {
  let at = 0;
  const written = form
    .replaceAll('<uuid>', uuid)
    .replace(/^(?!.*\^)/s, '^')
    .split('^');
  const [before, after] = written.map((part) =>
    part.replaceAll(fields, (_, alphabet: string, count: string) => fill(alphabet, Number(count), at++)),
  );
  const marked = `${before}${prefix}${after}`;
  const secret = /\[(.*)\]/s.exec(marked)?.[1] ?? marked;
  return { text: marked.replace(/\[(.*)\]/s, '$1'), secret };
}

const random: Fill = (alphabet, count, at) => characters(alphabet, count, at + 1);

/** Texts in which one field of the form is changed. */
const changed = (
  form: string,
  prefix: string,
  change: (text: string, alphabet: string) => string[],
): string[] => {
  const texts: string[] = [];
  textOf(form, prefix, (alphabet, count, changedAt) => {
    const wrong = change(random(alphabet, count, changedAt), alphabet);
    const fill =
      (text: string): Fill =>
      (...field) =>
        field[2] === changedAt ? text : random(...field);
    texts.push(...wrong.map((text) => textOf(form, prefix, fill(text)).text));
    return '';
  });
  return texts;
};

const sentence = 'RetryTheFailedRequestWithAnotherServerBecauseThisOneWasNotReachableAfterTheUpdate';
const wordsIn = (alphabet: string): string =>
  'ut'.includes(alphabet) ? sentence.toUpperCase() : alphabet === 'l' ? sentence.toLowerCase() : sentence;

/** What may stand in the place of a secret, or may be taken for one. */
const nearMisses: Record<string, (form: string, prefix: string) => string[]> = {
  /** The secret is a part of a longer word. */
  inside: (form, prefix) => [`wQ${textOf(form, prefix, random).text}`],
  /** It goes on after the last character. */
  longer: (form, prefix) => ['Q', 'z', '7'].map((more) => textOf(form, prefix, random).text + more),
  /** A part of it has one character less. */
  shorter: (form, prefix) => changed(form, prefix, (text) => [text.slice(1)]),
  /** A part of it has half of its characters. */
  half: (form, prefix) => changed(form, prefix, (text) => [text.slice(text.length / 2)]),
  /** A part of it has a character of another alphabet. */
  other: (form, prefix) =>
    changed(form, prefix, (text, alphabet) =>
      [...outsideOf(alphabet)].map(
        (wrong) => text.slice(0, text.length / 2) + wrong + text.slice(text.length / 2 + 1),
      ),
    ),
  /** A placeholder: the same character again and again. */
  same: (form, prefix) => [
    textOf(form, prefix, (alphabet, count) => insideOf(alphabet).charAt(0).repeat(count)).text,
  ],
  /** The name of something, made of words. */
  words: (form, prefix) => [
    textOf(form, prefix, (alphabet, count) => wordsIn(alphabet).repeat(20).slice(0, count)).text,
  ],
};

interface Line {
  prefixes: string[];
  forms: string[];
  misses: string[];
  texts: string[];
}

const lines = new Map<string, Line>(
  examples
    .trim()
    .split('\n')
    .map((line) => {
      const [id = '', prefixes = '', forms = '', lookAlikes = ''] = line.split('  ');
      const [misses = '', ...texts] = lookAlikes.split(/(?:^| )\| /);
      return [
        id,
        {
          prefixes: prefixes.split(' '),
          forms: forms.split(' | '),
          misses: misses.split(' ').filter(Boolean),
          texts,
        },
      ];
    }),
);

const seen = new Map<string, number>();
const rows = secretRules().map((rule) => {
  const count = (seen.get(rule.name) ?? 0) + 1;
  seen.set(rule.name, count);
  return { id: count === 1 ? rule.name : `${rule.name}#${count}`, rule };
});

/** Returns what one row alone finds, from the start of its first span to the end of its last. */
function finderOf(rule: SecretRule): (text: string) => string {
  const table = createKeywordTable(formatKeywords(rule));
  return (text) => {
    const inText = `before ${text} after`;
    const spans = keywordSpans(inText, table);
    return inText.slice(
      Math.min(...spans.map(({ start }) => start)),
      Math.max(0, ...spans.map(({ end }) => end)),
    );
  };
}

describe('every secret format', () => {
  it.each(rows)('[redact-rules] $id is found with each prefix and in each form', ({ id, rule }) => {
    const line = lines.get(id);
    expect(line?.forms, 'a line of `examples` has the name of this row').toBeDefined();
    expect(line?.prefixes).toEqual(rule.starts);
    const found = finderOf(rule);
    for (const prefix of line?.prefixes ?? []) {
      for (const form of line?.forms ?? []) {
        const { text, secret } = textOf(form, prefix, random);
        expect(found(text), text).toBe(secret);
        expect(redact(`before ${text} after`)).not.toContain(secret);
      }
    }
  });

  it.each(rows)('[redact-rules] $id is not found in its look-alikes', ({ id, rule }) => {
    const { prefixes = [], forms = [], misses = [], texts = [] } = lines.get(id) ?? {};
    expect(
      misses.length + texts.length,
      'the line of this row in `examples` has a look-alike',
    ).toBeGreaterThan(0);
    const found = finderOf(rule);
    for (const miss of misses) {
      expect(Object.keys(nearMisses)).toContain(miss);
      for (const text of nearMisses[miss]?.(forms[0] as string, prefixes[0] as string) ?? [])
        expect(found(text), `${miss}: ${text}`).toBe('');
    }
    for (const text of texts) expect(redact(`before ${text} after`)).toBe(`before ${text} after`);
  });

  it('has an example only if the table has its row', () => {
    expect([...lines.keys()]).toEqual(rows.map(({ id }) => id));
  });
});
