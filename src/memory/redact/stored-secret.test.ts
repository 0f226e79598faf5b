import { expect, it } from 'vitest';
import { redact } from './redact.ts';

const token = 'vQ81bzLm0pXeWq27';
const key = 'Zk3vN8qL1xR7tYw2Pq9sUb5dHj4mCe6gXo0iTn8fKa0=';

it.each([
  [
    `{\n  "Parameter": {\n    "Name": "/prod/stripe",\n    "Type": "SecureString",\n    "Value": "otter-Tram",\n`,
    'otter-Tram',
  ],
  [`Parameter:\n  Name: /prod/db\n  Type: SecureString\n  Value: otter-Tram\n  Version: 3`, 'otter-Tram'],
  [
    `{\n  "contentType": null,\n  "id": "https://acme.vault.azure.net/secrets/stripe/0f3e4a",\n  "name": "stripe",\n  "tags": {},\n  "value": "otter-Tram"\n}`,
    'otter-Tram',
  ],
  [`APP_KEY=base64:${key}`, 'Zk3vN8'],
  [`APP_KEY: base64:${key}`, 'Zk3vN8'],
  [`'key' => env('APP_KEY', 'base64:${key}'),`, 'Zk3vN8'],
  [`const API_TOKEN: &str = "${token}";`, token],
  [`pub static API_TOKEN: Option<&'static str> = Some("${token}");`, token],
])('is found in what a store, a framework or Rust writes: %j', (text, secret) =>
  expect(redact(text)).not.toContain(secret),
);

it('a recovery phrase of twelve words is found wherever it begins', () => {
  // Short words: the phrase has 59 characters.
  const phrase = 'oil foil act cat green name bid devote major inner sun tank';
  for (let lead = 0; lead < 60; lead++)
    expect(redact(`${'x'.repeat(lead)}: "${phrase}"`), String(lead)).not.toContain(phrase);
});
