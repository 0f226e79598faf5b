import type { Fact } from './fact.ts';

/**
 * A team that mixes German, Russian, Chinese, Spanish and English in one project, often in one sentence, and asks in
 * another language than it wrote in. The languages share names, numbers and code.
 */
export const mixed: readonly Fact[] = [
  {
    intent: 'why',
    said: 'Brauchen wir Redis noch?',
    replied:
      'Redis ist raus: es lief nur fürs Rate-Limiting und verlor beim Failover alle Zähler. Jetzt eine Postgres-Tabelle.',
    asked: ['why did we drop redis', 'почему убрали Redis с rate limiting'],
  },
  {
    intent: 'fix',
    said: 'Der Login-Test ist flaky.',
    replied:
      'Ursache: das Session-Cookie wurde erst nach dem Redirect geschrieben. Die Antwort wartet jetzt auf den Store.',
    asked: ['what fixed the flaky login test', 'was war mit dem Cookie beim Weiterleiten (redirect)'],
  },
  {
    intent: 'told',
    said: 'Booleans bitte als Behauptung benennen, isOpen oder hasRows, keine Flags.',
    asked: ['how should booleans be named', 'wie soll ich boolesche Werte benennen (isOpen)'],
  },
  {
    intent: 'told',
    said: 'Никаких новых dependencies без моего ok, dev dependencies тоже.',
    asked: ['may I add new dependencies', 'можно добавить dev dependency'],
  },
  {
    intent: 'command',
    said: 'Wie laufen die Migrationen auf staging?',
    replied: 'Mit `npx knex migrate:latest --env staging`.',
    asked: ['command to run knex migrations', 'как запустить миграции knex на staging'],
  },
  {
    intent: 'command',
    said: '怎么只启动 api，不要 worker？',
    replied: '用 `docker compose --profile api up --scale worker=0`。',
    asked: ['start only the api without the worker', 'docker compose ohne Worker starten'],
  },
  {
    intent: 'when',
    said: 'Heute ziehen wir Node von 20 auf 24 hoch.',
    replied: 'Node ist auf 24. Zwei Tests hingen an der Reihenfolge der Microtasks.',
    asked: ['when did we upgrade node to 24', 'когда подняли Node до 24'],
  },
  {
    intent: 'value',
    said: 'Подними pool size.',
    replied: 'Pool size теперь 40 вместо 10: в обед запросы ждали соединения.',
    asked: ['what is the pool size now', 'wie groß ist die pool size und warum'],
  },
  {
    intent: 'now',
    said: 'Zu den Retries habe ich es mir anders überlegt.',
    replied:
      'Ab jetzt fünf Retries mit exponentiellem Backoff und Jitter, höchstens 30 s. Die alten drei festen Versuche gelten nicht mehr.',
    asked: ['what did we decide about retries and backoff', 'сколько retries с backoff'],
  },
  {
    intent: 'fix',
    said: 'Memory wächst um 40 MB pro Stunde.',
    replied:
      'Das Leck: jeder Request hängte einen Listener an den EventBus. Er hängt jetzt an einem AbortSignal.',
    asked: ['what was the memory leak with listeners', 'утечка listener на EventBus'],
  },
  {
    intent: 'fix',
    said: 'Клиентов списывает дважды.',
    replied: 'Idempotency key строился из timestamp. Теперь это order id плюс attempt.',
    asked: ['double charges and the idempotency key', 'wie setzt sich der idempotency key zusammen'],
  },
  {
    intent: 'why',
    said: '分页用 cursor 还是 page number？',
    replied: '选 cursor pagination，因为新数据总在最前面插入，page 2 会重复 page 1。',
    asked: ['why cursor pagination', 'warum Cursor statt page number'],
  },
  {
    intent: 'why',
    said: '¿Podemos cachear los permisos un minuto?',
    replied: 'Rechazado: un empleado despedido debe perder el acceso al instante, sin permission cache.',
    asked: ['why is there no permission cache', 'por qué no guardamos permisos en caché'],
  },
  {
    intent: 'files',
    said: 'Mach bitte den Dark Mode.',
    replied:
      'Dark Mode fertig: `web/theme/palette.ts`, `web/theme/use-theme.ts`, `web/settings/appearance.tsx`.',
    asked: ['which files belong to dark mode', 'в каких файлах dark mode и палитра (palette)'],
  },
  {
    intent: 'files',
    said: '加一个 audit log。',
    replied: 'audit log 在 `server/audit/record.ts`、`server/audit/query.ts` 和 `sql/0042-audit.sql`。',
    asked: ['where is the audit log', 'welche Dateien hat das Audit-Log'],
  },
  {
    intent: 'left',
    said: 'Stand beim Import-Wizard?',
    replied:
      'Upload und Spaltenzuordnung gehen. Offen: US-Datumsformat wird falsch gelesen, und es gibt kein Undo.',
    asked: ['what is left in the import wizard', 'was fehlt noch beim Importieren: Datumsformate, Undo'],
  },
  {
    intent: 'tried',
    said: 'Дай lambda больше памяти для cold start.',
    replied: 'Не помогло: cold start тратит время на загрузку 1900 файлов. Откатил.',
    asked: [
      'did more memory help the lambda cold start',
      'was haben wir gegen den cold start der Lambda versucht',
    ],
  },
  {
    intent: 'fix',
    said: 'Then something else for the startup of the function.',
    replied: 'Ein einziges Bundle mit esbuild: die Function startet in 800 ms.',
    asked: ['what made the function start in 800 ms', 'чем помог esbuild bundle'],
  },
  {
    intent: 'known',
    said: 'Achtung Payment-Sandbox: sie antwortet auch bei declined cards mit HTTP 200, maßgeblich ist `status` im Body.',
    asked: ['how to detect declined cards in the sandbox', 'как понять что карта declined в sandbox'],
  },
  {
    intent: 'known',
    said: 'Деньги храним в minor units как integer, никакого float.',
    asked: ['how is money stored, integer or float', 'Geldbeträge: minor units oder float'],
  },
  {
    intent: 'known',
    said: 'staging 数据库每周日 04:00 重建，手工数据会丢。',
    asked: ['when is the staging database rebuilt', '周日 staging 的数据为什么没有了'],
  },
  {
    intent: 'fix',
    said: 'Umlaute im CSV sind kaputt.',
    replied: 'Excel hat Latin-1 geraten. Jede CSV-Datei beginnt jetzt mit einem BOM.',
    asked: ['csv umlauts in excel, what was the fix', 'почему в CSV для Excel нужен BOM'],
  },
  {
    intent: 'fix',
    said: 'Queue hängt nach dem Deployment.',
    replied:
      'Der alte Prozess starb mit einem advisory lock. Locks gelten jetzt pro Job mit einer Lease von 60 s.',
    asked: ['why did the queue hang, advisory lock', 'какая lease у job lock'],
  },
  {
    intent: 'who',
    said: 'Sube el límite de upload a 250 MB.',
    replied: 'El límite de upload pasó de 20 a 250 MB; los arquitectos mandan planos enteros.',
    asked: ['who raised the upload limit to 250 MB', 'cuál es el límite para subir archivos (upload)'],
  },
  {
    intent: 'now',
    said: 'Feature flags ziehen um.',
    replied:
      'Feature-Flags liegen jetzt in der Datenbank mit einer Minute Cache, die YAML-Datei ist gelöscht.',
    asked: ['where do feature flags live now', 'где теперь feature flags, раньше был YAML'],
  },
  {
    intent: 'why',
    said: 'WebSockets oder server-sent events für den Fortschritt?',
    replied:
      'Server-sent events: der Verkehr geht nur in eine Richtung, und der Proxy beim größten Kunden schließt WebSockets.',
    asked: ['why server-sent events and not websockets', 'почему не WebSockets, что с proxy'],
  },
  {
    intent: 'fix',
    said: 'Webhook signature иногда не сходится.',
    replied: 'Мы парсили JSON и сериализовали заново до проверки digest. Теперь проверяем raw body.',
    asked: ['what fixed the webhook signature', 'wie wird die Webhook-Signatur geprüft (raw body)'],
  },
  {
    intent: 'fix',
    said: '两个 import 同时跑会 deadlock。',
    replied: '写入前按 primary key 排序，40P01 没有再出现。',
    asked: ['how did we solve the deadlock 40P01', 'как решили deadlock 40P01 при import'],
  },
  {
    intent: 'told',
    said: 'Error messages auf Deutsch und ohne Stacktrace: was ist passiert, was soll der Nutzer tun.',
    asked: [
      'how should error messages be written, stacktrace or not',
      'Fehlermeldungen: mit Stacktrace oder ohne',
    ],
  },
  {
    intent: 'told',
    said: 'В UI пишем workspace, tenant только в базе.',
    asked: ['workspace or tenant in the UI', 'darf tenant in der UI stehen'],
  },
  {
    intent: 'when',
    said: 'Postgres bitte auf 17.',
    replied: 'Postgres ist von 14 auf 17; eine View musste wegen einer Katalogspalte neu erstellt werden.',
    asked: ['when did postgres move to 17', 'какую view пересоздали с Postgres 17'],
  },
];
