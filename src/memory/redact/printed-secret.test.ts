import { expect, it } from 'vitest';
import { withoutPrintedSecret } from './printed-secret.ts';

const outputOf = (command: string, output: string): string | undefined =>
  withoutPrintedSecret({ turn: 't', command, ok: true, output }).output;

it.each([
  'op read op://prod/db/password',
  'kubectl get secret db -n prod -o jsonpath={.data.password} | base64 -d',
  'kubectl -n prod get secret db -o json | jq -r .data.pw | base64 --decode',
  'cd infra && pass show prod/db',
  'aws secretsmanager get-secret-value --secret-id db --query SecretString --output text',
  'gcloud secrets versions access latest --secret db',
  'gh auth token',
  'az account get-access-token --query accessToken -o tsv',
  'security find-generic-password -s db -w',
  'vault kv get -field=password kv/db',
  'PGPASSWORD=$(op read op://prod/db/password); echo $PGPASSWORD',
])('the bare output of a command that prints a secret is not stored: %s', (command) => {
  expect(outputOf(command, 'otter-Tram\n')).toBe('[redacted:printed-secret]');
});

it.each([
  ['kubectl get secrets', 'NAME   TYPE     DATA\ndb     Opaque   2'],
  ['kubectl create secret generic db', 'secret/db'],
  ['gh auth status', 'github.com'],
  ['ls | grep secret', 'secret.test.ts'],
  ['cat token.txt', 'otter-Tram'],
  ['npm run build', 'otter-Tram'],
  ['which pass', '/usr/bin/pass'],
  ['git show HEAD:token', 'otter-Tram'],
  ['wc -l tokens', '120034'],
])('any other output is kept: %s', (command, output) => expect(outputOf(command, output)).toBe(output));
