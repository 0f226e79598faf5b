import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { sha256 } from '../../src/base/ids.ts';

/**
 * One line for every file under a folder, with kind, mode and content or target, so that two listings can be compared.
 */
export function listing(folder: string, options: { except?: string[]; times?: boolean } = {}): string[] {
  const lines: string[] = [];
  const visit = (path: string): void => {
    const name = relative(folder, path) || '.';
    if (options.except?.some((other) => name === other || name.startsWith(`${other}/`))) return;
    const stat = lstatSync(path, { bigint: true });
    const mode = (Number(stat.mode) & 0o777).toString(8);
    const time = options.times === true ? ` ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}` : '';
    if (stat.isSymbolicLink()) lines.push(`link ${name} -> ${readlinkSync(path)}`);
    else if (stat.isDirectory()) {
      lines.push(`folder ${mode} ${name}${time}`);
      for (const entry of readdirSync(path).sort()) visit(join(path, entry));
    } else lines.push(`file ${mode} ${name} ${sha256(readFileSync(path)).slice(0, 16)}${time}`);
  };
  visit(folder);
  return lines;
}
