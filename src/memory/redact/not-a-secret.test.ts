import { expect, it } from 'vitest';
import { redact } from './redact.ts';

/** Text that a rule took for a secret in real sessions, and the forms in which test programs report. */
const testOutput = [
  '=== RUN   TestE2E_AgentCommits2\n--- PASS: TestE2E_AgentCommits2 (1.20s)\n    --- PASS: TestE2E_AgentCommits2/with_2FA (0.00s)\nok  \tgithub.com/acme/cli/e2e\t12.345s',
  '--- FAIL: TestOAuth2Refresh_401Retry (0.02s)\n    auth_test.go:42: got "x9" want "y8"\nFAIL\tgithub.com/acme/cli\t0.123s',
  '{"Action":"pass","Package":"github.com/acme/cli","Test":"TestLogin2FA_Retry3","Elapsed":0.01}',
  'test auth::tests::token_v2_roundtrip ... ok\n        PASS [   0.012s] my-crate auth::tests::sha256_key_v2',
  'tests/test_auth.py::test_password_reset[user2-Xy12] PASSED [ 50%]\nFAILED tests/test_auth.py::test_S3_key2 - assert 3 == 4',
  'PASS src/auth/token2.test.ts (5.123 s)\n  ✓ password: resets OAuth2Token3 (12 ms)\n  ✕ key: renews S3Bucket4 (3 ms)',
  ' ✓ src/auth/login2.test.ts (12 tests) 123ms\n   × pass: Token2Rotates 5ms',
  '<testcase classname="com.acme.AuthTest" name="testPassword2FA" time="0.012"/>',
  '[INFO] Tests run: 3, Failures: 0, Time elapsed: 0.1 s - in com.acme.TokenServiceV2Test',
  'rspec ./spec/models/user_spec.rb:12 # User password: requires 8Chars1Digit',
  'TAP version 14\nok 1 - login: accepts OAuth2Code3\nnot ok 2 - pass: Base64Url2Decodes\n# pass 5\n1..2',
  'PASS: tests/run_token2check.sh\nPASS: CryptoSuite2_AES256GCM',
  '[       OK ] TokenTest.RefreshV2Works (3 ms)\n[  PASSED  ] 2 tests.',
  '| Session state | ✅ PASS |\n| Shadow branch | ✅ PASS (`acme/a23136d`) |',
];

it.each(testOutput)('the name of a test is not a password: %j', (text) => expect(redact(text)).toBe(text));

it.each([
  '// Examples that would pass: `user.Save()`, `return err`, `x := 5`',
  'Pass to `runEnableWithStrategy()` and set the rest.',
  'PWD=/Users/ann/Work/acme/test1234\nOLDPWD=/Users/ann/Work/acme/cli',
  '{"author":{"id":"MDQ6VXNlcjEwOTExNDEy","is_bot":false,"login":"annsmith2409","name":"Ann Smith"}}',
  '{ "key": "eb9c-5483-e950-6f83/2026-05-18_12-47-08Z.md#5", "session": "eb9c" }',
  'got: "feat: Add new login flow\\nEntire-Checkpoint: a1b2c3d4e5f6\\n"',
  '[timing] CalculateTotalTokenUsage: 2.119834ms',
  "Cache hit for: lint.cache-Linux-2926-f2c1870c7fe227ac54b5810121a751b0856d2539\nfrom key 'lint.cache-Linux-2926-f2c1870c7fe227ac54b5810121a751b0856d2539'",
  'the key: Ctrl+Shift+P2 opens the palette',
  "because the **field key doesn't match the `rowObject`**!",
  '"authId": "auth0|user_01HY48YY9VQFKGFGHEKQKB2BZ0"',
  '{"id":"rs_68951d9048b4819ba4e66bef5ad18c1b027cf83e605e18c8","type":"reasoning"}',
  'password: {{ .Values.db.password | b64enc }}\ntoken: {{ required "a token" .Values.token1 | b64enc | quote }}',
  // A signature in base64 in which the prefix of a provider occurs by coincidence.
  '"signature": "N6jBLBwnetd55ICuO2r7mCzkQ1YzcARSwsp7o3U12eSPmOtjv0GngRQhO8t/YCvjGD29jN6BymJt2srGcI0lp3MZErDIdtmOkRbd/2JYet"',
])('is kept as it is: %j', (text) => expect(redact(text)).toBe(text));

it.each([
  ['user: ada\npass: hunter22', 'hunter22'],
  ['USER: admin\nPASS: S3cretPw9', 'S3cretPw9'],
  ["auth: { user: 'ada@acme.dev', pass: 'Abc12345' }", 'Abc12345'],
  ['the pass: hunter22x', 'hunter22x'],
  ['SMTP_PASS: hunter22', 'hunter22'],
  ['PASS=hunter22', 'hunter22'],
])('"pass" still names a password: %j', (text, secret) => expect(redact(text)).not.toContain(secret));
