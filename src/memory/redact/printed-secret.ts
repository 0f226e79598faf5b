import type { EventContent } from '../../domain/event.ts';

/**
 * Replaces the output of a command that prints a secret by its nature, such as `op read` or `kubectl get secret … |
 * base64 -d`. The output is then a bare word without a name or a form that a rule could recognise. Tables, JSON and
 * sentences are left to the rules.
 */
export function withoutPrintedSecret<T extends EventContent['body']>(body: T): T {
  if (!('command' in body) || !('output' in body) || body.output === undefined) return body;
  if (!isBare(body.output.trim()) || !body.command.split(/[|;&\n]|\$\(/).some(asksForSecret)) return body;
  return { ...body, output: '[redacted:printed-secret]' };
}

/** One word of printable characters that is no path, number, constant or JSON. */
const isBare = (output: string): boolean =>
  /^[!-~]{6,4000}$/.test(output) &&
  !/^[\d.:]+$|^[[{<(]|^(?:undefined|true|false|none|null)$|:\/\/|^(?:[\w.~-]*\/)+[\w.-]*$/i.test(output);

const maxWords = 12;
const before = /^\s*(?:(?:\w+=\S*|sudo|env|command) )*/;
const stores = /^(?:op|pass|gopass|bw|vault|sops|secret-tool|lpass|keyring|chamber|security)$/;
/** Programs whose words are names of files or patterns, or which only write. */
const readers =
  /^(?:cat|less|head|tail|ls|rg|grep|ag|find|fd|wc|which|echo|printf|git|cd|test|mkdir|touch|rm|cp|mv)$/;
/** A subcommand; not an option, a path or a file. */
const secretNoun = /^(?:[a-z]+[-:])*(?:secrets?|passwords?|tokens?|credentials?)(?:[-:][a-z]+)*$/i;

function asksForSecret(command: string): boolean {
  const [program = '', ...words] = command.replace(before, '').split(/\s+/).slice(0, maxWords);
  if (readers.test(program)) return false;
  return stores.test(program) || words.some((word) => secretNoun.test(word));
}
