import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A program that was run: the configuration key that named it, and the command lines of its parent processes. */
export interface ProgramRun {
  key: string;
  by: string;
}

/** Programs that a repository's configuration can name. Each one writes its key to a log when it is run. */
export interface TrapLog {
  /** Creates the program of a key and returns its command line. */
  command(key: string): string;
  /** Programs that ran since the last call. */
  programsRun(): ProgramRun[];
}

export interface HostileKey {
  key: string;
  /** A value that makes git use a program. Without it, the key itself names the program. */
  value?: string;
}

const program = (key: string): HostileKey => ({ key });
const setting = (key: string, value: string): HostileKey => ({ key, value });

/**
 * Every key of git's documentation whose value is a command, a helper or a hook folder, and the settings that make git
 * use them.
 */
export const hostileKeys: HostileKey[] = [
  ...[
    'core.fsmonitor',
    'core.sshCommand',
    'core.askPass',
    'core.pager',
    'core.editor',
    'core.gitProxy',
    'core.alternateRefsCommand',
    'sequence.editor',
    'interactive.diffFilter',
    'credential.helper',
    'credential.https://127.0.0.1.helper',
    'diff.external',
    'diff.tool',
    'diff.evil.command',
    'diff.evil.textconv',
    'difftool.evil.cmd',
    'difftool.evil.path',
    'merge.evil.driver',
    'mergetool.evil.cmd',
    'mergetool.evil.path',
    'filter.evil.clean',
    'filter.evil.smudge',
    'filter.evil.process',
    'filter.plain.clean',
    'filter.plain.smudge',
    'gpg.program',
    'gpg.openpgp.program',
    'gpg.ssh.program',
    'gpg.x509.program',
    'gpg.ssh.defaultKeyCommand',
    'uploadpack.packObjectsHook',
    'pager.log',
    'pager.status',
    'pager.blame',
    'pager.diff',
    'pager.show',
    'pager.config',
    'man.evil.cmd',
    'browser.evil.cmd',
    'web.browser',
    'instaweb.httpd',
    'sendemail.smtpServer',
    'sendemail.toCmd',
    'trailer.evil.command',
    'trailer.evil.cmd',
    'remote.origin.uploadpack',
    'remote.origin.receivepack',
    'remote.origin.vcs',
    'submodule.evil.update',
    'guitool.evil.cmd',
    'imap.tunnel',
    'hook.evil.command',
    'alias.status',
    'alias.log',
    'alias.blame',
    'alias.rev-parse',
  ].map(program),
  setting('log.showSignature', 'true'),
  setting('filter.evil.required', 'true'),
  setting('protocol.allow', 'always'),
  setting('protocol.ext.allow', 'always'),
  setting('protocol.file.allow', 'always'),
  setting('submodule.recurse', 'true'),
  setting('status.submoduleSummary', 'true'),
  setting('diff.submodule', 'log'),
  setting('diff.ignoreSubmodules', 'none'),
  setting('gc.auto', '1'),
  setting('core.untrackedCache', 'true'),
  setting('hook.evil.event', 'post-index-change'),
  setting('color.ui', 'always'),
];

/** `folder` must not be inside the repository. */
export function plantPrograms(folder: string): TrapLog {
  const log = join(folder, 'sprung.log');
  return {
    command(key) {
      const path = join(folder, `${key.replaceAll(/[^\w.-]/g, '_')}.sh`);
      // A filter returns its input, so that git does not fail before it reaches the next program.
      const reply = /\.(?:clean|smudge|textconv)$/.test(key) ? 'cat "$@"' : 'exit 1';
      writeFileSync(
        path,
        `#!/bin/sh\n${ancestors}printf '%s\\t%s\\n' '${key}' "$by" >> '${log}'\n${reply}\n`,
      );
      chmodSync(path, 0o755);
      return path;
    },
    programsRun() {
      const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : [];
      rmSync(log, { force: true });
      return lines.map((line) => ({ key: line.split('\t')[0] ?? '', by: line.split('\t')[1] ?? '' }));
    },
  };
}

const ancestors = `pid=$PPID; by=
while [ -n "$pid" ] && [ "$pid" -gt 1 ]; do
  by="$by < $(tr '\\000\\n\\t' '   ' 2>/dev/null < /proc/$pid/cmdline | cut -c 1-300)"
  pid=$(sed -n 's/^PPid:[^0-9]*//p' /proc/$pid/status 2>/dev/null)
done
`;

/** The lines of a configuration file with all of these keys. */
export function hostileConfig(keys: HostileKey[], command: (key: string) => string): string {
  return keys
    .map(({ key, value }) => {
      const first = key.indexOf('.');
      const last = key.lastIndexOf('.');
      const middle = first === last ? '' : ` "${key.slice(first + 1, last)}"`;
      const setting = value ?? configured(key, command(key));
      return `[${key.slice(0, first)}${middle}]\n\t${key.slice(last + 1)} = ${JSON.stringify(setting)}\n`;
    })
    .join('');
}

const configured = (key: string, path: string): string =>
  key.startsWith('alias.') || key === 'submodule.evil.update' ? `!${path}` : path;

/** Attributes that apply the diff and filter drivers of the hostile configuration to every file. */
export const hostileAttributes = '*.ts diff=evil filter=evil merge=evil\n*.md diff=evil filter=plain\n';
