import { describe, expect, it } from 'vitest';
import { isChosenPassword, isChosenPhrase } from './chosen-password.ts';
import { redact } from './redact.ts';

/** Assembled when the test runs, so that no scanner finds a secret in the repository. */
const passwords = [
  ['Blue.', 'Whale77'],
  ['Sol*', 'Luna482'],
  ['Żaba-w-', 'stawie12'],
  ['Komp0t_', 'zimny'],
  ['Лиса-', 'утром55'],
].map((parts) => parts.join(''));

/** `X` is the place of the password. */
const sentences = [
  "the staging password is X, don't share it",
  'password for the staging db: X',
  'my sudo password is X',
  'pw X works on the bastion',
  'the admin pass is X',
  'log in with admin and X',
  'sign in as deploy with X',
  'the passphrase of the key is X',
  'unlock it with X',
  'use X as the database password',
  'X is the root password',
  'admin / X',
  'creds: admin / X',
  'root password X',
  'the old password was "X"',
  'Das Passwort für die Testdatenbank lautet X',
  'Das Datenbankpasswort ist X, bitte nicht committen',
  'Mit dem Kennwort „X“ geht es',
  'melde dich mit admin und X an',
  'Zugangsdaten: admin / X',
  'le mot de passe de la base est X',
  'mot de passe : X',
  'connecte-toi avec root et X',
  'la contraseña del servidor es X',
  'entra con admin y X',
  'la clave es X',
  'a senha do servidor é X',
  'entre com admin e X',
  'la password del server è X',
  "la parola d'ordine è X",
  'accedi con admin e X',
  'het wachtwoord van de server is X',
  'log in met admin en X',
  'hasło do serwera to X',
  'zaloguj się hasłem X',
  'heslo k serveru je X',
  'heslo na server je X',
  'lösenordet till servern är X',
  'logga in med admin och X',
  'adgangskoden til databasen er X',
  'passordet til serveren er X',
  'palvelimen salasana on X',
  'a szerver jelszava X',
  'a jelszó X',
  'a jelszó a szerverhez X, a felhasználó root',
  'parola de la server este X',
  'parola bazei de date este X',
  'сървърната парола е X',
  'пароль от базы X',
  'пароль: X',
  'пароль к серверу — X',
  'пароль від сервера X',
  'пароль для бази: X',
  'зайди под admin с паролем X',
  'лозинката е X',
  'lozinka za server je X',
  'geslo za strežnik je X',
  'sunucu şifresi X',
  'şifre: X',
  'parola X olarak değişti',
  'ο κωδικός του διακομιστή είναι X',
  'הסיסמה לשרת היא X',
  'הסיסמה של השרת: X',
  'كلمة مرور الخادم هي X',
  'كلمة السر: X',
  'kata sandi server adalah X',
  'password servernya X',
  'mật khẩu máy chủ là X',
  'mật khẩu: X',
  'सर्वर का पासवर्ड X है',
  'पासवर्ड है X',
  '서버 비밀번호는 X 입니다',
  '비번은 X',
  '비밀번호: X',
  'サーバーのパスワードはXです',
  'パスワードは「X」です',
  'パスワード：X',
  '服务器密码是X，用户root',
  '密码：X',
  '密码改成了 X',
  '密碼是「X」',
  'รหัสผ่านคือ X',
  'رمز عبور سرور X است',
  'slaptažodis yra X',
  'parole ir X',
  'parool on X',
  'wagwoord is X',
  'la contrasenya és X',
  'DEBUG user=tom pw=X realm=A',
  'senha=X',
  'mdp: X',
  'when sudo asks, type X',
  'type X when sudo asks',
  'auth=("bot", "X")',
  "ssh-keygen -t rsa -N 'X'",
  'lftp -u bob,X ftp.a.example',
  '| Benutzer | Passwort |\n|---|---|\n| bob | X |',
  '| utilisateur | mot de passe |\n|---|---|\n| bob | X |',
  '| пользователь | пароль |\n|---|---|\n| bob | X |',
  '| 用户 | 密码 |\n|---|---|\n| bob | X |',
  'usuario,contraseña\nbob,X',
];

const phrases = [
  'wifi of the lab: ACME, passphrase "violet tractor sings 31"',
  'Die Passphrase lautet „violet tractor sings 31“',
  'パスフレーズは「violet tractor sings 31」です',
  'gh secret set DEPLOY_PASSPHRASE --body "violet tractor sings 31"',
];

const hash = ['9bf5de6deee05838', '3b5d2fd743e89402', '928426fd466f268b', 'afdc848d8754adaf'].join('');

const innocent = [
  'the password is required and must contain at least 12 characters, 1 digit and 1 symbol',
  'Password must match ^(?=.*[A-Z])(?=.*\\d).{8,}$',
  'the token is expired since 2024-05-20T11:02:17Z',
  'reset the password for Web-Server01.',
  'the password for user-42 expires on 2025-01-31',
  'the password reset test fails in Login-Form2.spec.ts, see #4312',
  'password hashing uses Argon2id with m=65536, t=3, p=4',
  'use bcrypt12 as the password hash',
  'rotate the passwords of db-prod-01, db-prod-02 and web-eu-1',
  'the wifi password page is in app/views/Wifi2024View.tsx',
  'wifi ACME-Guest24 is down',
  'Passphrase "must be at least 8 characters"',
  'passphrase: "enter your new passphrase twice"',
  'password: "Passwort muss 8 Zeichen lang sein"',
  '"password": "Mot de passe oublié ? Cliquez ici 24h/24"',
  'Das Passwort für Web-Server01 ist abgelaufen.',
  'Das Datenbankpasswort steht in der Variable DB_PASSWORD_PROD',
  'Das Kennwort „muss geändert werden“ ist die Meldung 4711',
  'Das Passwort ist Base64-kodiert und 24-stellig',
  'Das WLAN-Passwort steht auf der Rückseite der FritzBox-7590',
  'le mot de passe de l’utilisateur test-user1 a expiré le 12/03',
  'le mot de passe est stocké dans HashiCorp-Vault2',
  'connecte-toi avec Google et GitHub',
  'connecte-toi avec admin et ouvre la page /users/42',
  'la contraseña es obligatoria (mínimo 8 caracteres)',
  'la contraseña de Usuario-Prueba01 no se puede cambiar',
  'inicia sesión con Google y vuelve a la versión 2.4.1',
  'a senha deve ter no mínimo 8 caracteres e 1 número',
  'a senha é criptografada com SHA-256 e salt de 16 bytes',
  'la password è obbligatoria, vedi RFC-6749',
  'het wachtwoord is verlopen sinds 01-02-2024',
  'hasło jest wymagane, minimum 8 znaków',
  'hasło do bazy trzymamy w Vault od wersji 1.15',
  'heslo musí mít alespoň 12 znaků a 1 číslici',
  'přihlas se jako admin a otevři stránku Nastaveni2',
  'пароль от сервера Prod-DB01 не подходит',
  'пароль должен содержать не менее 8 символов и 1 цифру',
  'пароль хранится в переменной DB_PASSWORD, см. Глава-12',
  'поле «пароль» обязательно для роли Admin2',
  'lösenordet är för kort (minst 12 tecken)',
  'lösenordet till Server-01 byts var 90:e dag',
  'adgangskoden er udløbet siden 2024',
  'passordet er for kort, se SAK-1234',
  'salasana on liian lyhyt, vähintään 12 merkkiä',
  'a jelszó legalább 8 karakter, 1 szám',
  'a jelszó a Teszt-Szerver01 gépen lejárt',
  'şifre en az 8 karakter olmalıdır, 1 rakam',
  'şifresi unutulan kullanıcı için ekran 24',
  'ο κωδικός είναι υποχρεωτικός (8 χαρακτήρες)',
  'ο κωδικός σφάλματος είναι E1042',
  'הסיסמה חייבת להכיל 8 תווים לפחות',
  'kata sandi minimal 8 karakter, lihat halaman 12',
  'parola este obligatorie și are minimum 8 caractere',
  'mật khẩu phải có ít nhất 8 ký tự',
  'كلمة المرور مطلوبة ويجب أن تكون 8 أحرف',
  'पासवर्ड कम से कम 8 अक्षर का होना चाहिए',
  '비밀번호는 8자 이상이어야 합니다',
  '비밀번호는 bcrypt로 해시됩니다 v2.3',
  'パスワードは8文字以上で入力してください',
  'パスワードはSHA256でハッシュ化されます',
  '密码必须至少8个字符，参见PasswordPolicy2.java',
  '密码是用bcrypt加密的，cost=12',
  '| usuario | contraseña |\n|---|---|\n| string | mínimo 8 |\n',
  '| поле | пароль |\n|---|---|\n| тип | строка |\n',
  'password: !vault_ref secret/data/db#password\n',
  'password: !Ref DBPassword\n',
  'password: process.env.DB_PASSWORD',
  'pw = getpass()',
  'pw: string;',
  'const pw = await promptPassword2(user);',
  'if (pw === confirmPw1) return',
  'log in with OAuth2 and SAML2, then open Dashboard-2024',
  'log in as alice01 and bob02 in two browsers',
  'when prompted, type yes and press Enter',
  'when prompted, enter your OTP-6 code',
  'admin / user01 / guest01 are the roles',
  'src / components / LoginForm2024.tsx',
  'dev / staging2 / prod3',
  'Chrome / Firefox120 both fail to log in',
  'accounts: ["0x52908400098527886E0F7030069857D2E4169EE7"]',
  'tx 0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe046665eb5 reverted',
  'blockHash: "0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe046665eb5"',
  'ASIA PACIFIC and ASIAPACIFICSOUTHEASTX regions',
  'ssh-keygen -t ed25519 -N "" -f ~/.ssh/ci',
  'ssh-keygen -t ed25519 -N "$PASSPHRASE" -f key',
  'gh secret set NPM_TOKEN --body "$NPM_TOKEN"',

  'lftp -u "$USER,$PASS" ftp.example.net',
  'auth = ("user", "pass")',
  'auth = (username, password)',
  'the keystore opens with keytool-17 on all machines',
  'mysql -p app < dump.sql',
  'the credentials: block in .travis2.yml is unused',
  'credentials for Jenkins-Agent07 are missing',
  'the parole board case 2024-113',
  'passcode length is 6-digit',
  'the pin is connected to GPIO17',
  'exit code is 1234',
  'error: password authentication failed for user "app_user01"',
  'FATAL: password authentication failed for user "Reporting-01"',
  'FATAL:  no pg_hba.conf entry for host "10.0.0.12", user "app", database "prod01"',
  "Access denied for user 'root'@'localhost' (using password: YES)",
  'fatal: Authentication failed for https://github.com/acme/site2024.git',
  'sudo: 3 incorrect password attempts',
  'Enter passphrase for key /home/tom/.ssh/id_ed25519:',
  '"passwordHint": "Your first pet\'s name 2 times"',
  'it("rejects a password Without-Digits", () => {})',
  'expect(page.getByLabel("Password")).toBeVisible({ timeout: 5000 })',
  '<label for="password">Password (min. 8)</label>',
  'feat(auth): password strength meter, closes ACME-1432',
  't("auth.password.tooShort", { min: 12 })',
  'password_reset_tokens_2024 is a table',
  'new passwords use PBKDF2-HMAC-SHA512, 210000 rounds',
  'Die PIN wird nach 3 Versuchen gesperrt',
  'El PIN debe tener 4 dígitos',
  'clave primaria: id_usuario_01',
  'la clave es compuesta (user_id, order_id2)',
];

describe('a password that a person made up', () => {
  it.each(sentences)('[redact-rules] is redacted in: %s', (sentence) => {
    for (const password of passwords) {
      const clean = redact(sentence.replace('X', () => password));
      expect(clean).toContain('[redacted:');
      expect(clean).not.toContain(password);
    }
  });

  it.each(phrases)('[redact-rules] is redacted if it is a phrase: %s', (text) => {
    expect(redact(text)).toMatch(/["“「„]\[redacted:[a-z-]+\]["”“」]/);
  });

  it.each(innocent)('[redact-rules] is not found in: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('needs a stricter form the further away the word for a password is', () => {
    const [dotted = ''] = passwords;
    expect(isChosenPassword(dotted, 'distant')).toBe(true);
    expect(isChosenPassword('mellow08', 'stated')).toBe(true);
    expect(isChosenPassword('mellow08', 'distant')).toBe(false);
    expect(isChosenPassword('Web-Server01', 'distant')).toBe(false);
    expect(isChosenPhrase('must be at least 8 characters')).toBe(false);
  });
});

describe('a secret that the same text repeats', () => {
  it('[redact-rules] is redacted everywhere', () => {
    const value = ['4H2ZauwbBa4Lpn5s', 'oQXPQXV8UQsdNZwT'].join('');
    const clean = redact(`hcloud context create prod <<EOT\n${value}\nEOT\nexport HCLOUD_TOKEN=${value}`);
    expect(clean).not.toContain(value);
  });

  it('[redact-rules] is kept if it is an ordinary word', () => {
    expect(redact('export DB_PASSWORD="Sesame"\nOpen Sesame is a story')).toContain('Open Sesame is a story');
  });
});

describe('the key of a wallet', () => {
  it.each([
    `accounts: ['0x${hash}']`,
    `accounts: [\n  "0x${hash}",\n  "0x${hash}",\n]`,
    `new ethers.Wallet("0x${hash}")`,
    `cast send --private-key 0x${hash} 0xabc`,
    `the deployer private key is 0x${hash}`,
  ])('[redact-rules] is recognised by its name: %s', (text) => {
    expect(redact(text)).not.toContain(hash);
  });

  it('[redact-rules] is not found in a hash', () => {
    const text = `transaction 0x${hash} was reverted`;
    expect(redact(text)).toBe(text);
  });
});
