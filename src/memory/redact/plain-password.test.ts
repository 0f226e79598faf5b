import { describe, expect, it } from 'vitest';
import { redact } from './redact.ts';

/** The word between the guillemets is the password; they are not part of the text. */
const passwords = [
  'the db password is «winter24»',
  "Ensure the password for user 'postgres' is '«admin»' or change it.",
  'password: «winter24!»\n',
  '[site]\nUsername=ann\nPassword=«opensesame»\n',
  'spring.datasource.password=«opensesame»\n',
  'user = ann\n// the one of the test site\npassword = «opensesame»\n',
  "user => 'joe',\n  password => '«thisismypassword»',",
  "credentials {\n  username 'ann'\n  password '«sesame»'\n}",
  "ALTER USER ann WITH PASSWORD '«sesame»';",
  "CREATE USER ann IDENTIFIED BY '«sesame»';",
  'host=db user=ann password=«sesame» dbname=app',
  'Server=db;User ID=ann;Password=«#gets0m3»;Trusted_Connection=False',
  'Server=db;Uid=ann;Pwd=«sesame»"',
  'jdbc:mysql://db/app?user=ann&password=«sesame»&ssl=true',
  '<username>ann</username>\n<password>«sesame»</password>',
  "define('DB_PASSWORD', '«winter24»');",
  'new NetworkCredential("ann", "«sesame»")',
  `mysqli_connect($host, 'ann', '«sesame»', 'app')`,
  `requests.get(url, auth=('ann', '«winter24»'))`,
  `smtp.setPassword("«winter24»")`,
  'ENV DB_PASSWORD «winter24»\n',
  'export DB_PASSWORD="«Sesame»"\n',
  `-H "X-Auth: Basic «${Buffer.from('ann:open').toString('base64')}»"`,
  'plink -ssh ann@host -pw «sesame»',
  'mysqldump -u ann -p«sesame» app',
  'redis-cli -h cache -a «sesame» ping',
  `sqlcmd -S db -U sa -P "«winter24»"`,
  'net use X: \\\\host\\share /user:ann «sesame»',
  `curl --user ann:'«sesame»' https://example.org`,
  'mongodb+srv://ann:«open@sesame!»@db.example.org/test',
  'postgresql://ann:«sesame@one:1,ann:sesame»@two:2/app',
  'jdbc:oracle:thin:ann/«sesame»@db:1521',
  'db.internal:5432:app:ann:«sesame»\n',
];

const harmlessTexts = [
  '"minipass": "^7.1.3",',
  "'Test2::Event::Pass' => '1.302181',",
  'readonly STENCIL_PASS_DEPTH_FAIL: 0x0B95;',
  'PWD=/home/ann/project\n',
  'options to pass to `resolveCommand` when it runs',
  'information can be given by the --username and --password options',
  "importKey('raw', encode(password), 'PBKDF2', false)",
  '"md5", "password", "scram-sha-256",',
  'password = getpass(prompt)',
  'password = password.encode("latin1")',
  'pass: "passed",',
  'Basic authentication and basic understanding',
  'self.user = user\nself.password = password\n',
  'username: string\npassword: string\n',
  '"username": "Username",\n"password": "Password",',
  'connect(user=user, password=secret_of(user))',
  '__mvncomp "username= message= passphrase= password= "',
  'the password is hashed with sha256',
  'the password is md5 of the name',
  '{ username: form.username, password: form.password1 }',
  'authorization = base64.decodebytes(authorization)',
  'cookie: slices.Clone(message.cookie),',
  'NL80211_EXT_PSK = C.NL80211_EXT_FEATURE_4WAY_HANDSHAKE_AP_PSK',
  'gpg --recv-keys DD792F5973C6DE52C432CBDAC77ABFA00DDBF2B7',
  'CertAlgo = "sk-ssh-ed25519-cert-v01@openssh.com"',
  'keyVaultToStoreSecrets: cmp2-qat-1208358310',
];

describe('a password that is a word', () => {
  it.each(passwords)('[redact-rules] is recognised by its context: %s', (marked) => {
    const [before = '', password = '', after = ''] = marked.split(/[«»]/);
    const clean = redact(`${before}${password}${after}`);
    expect(clean).toMatch(/\[redacted:[a-z-]+\]/);
    expect(clean.startsWith(before) && clean.endsWith(after), clean).toBe(true);
  });

  it.each(harmlessTexts)('[redact-rules] is not found in: %s', (text) => {
    expect(redact(text)).toBe(text);
  });
});
