/** A comment, a quoted text or name, or a text between dollar signs: a semicolon inside ends no statement. */
const skipped = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|;|[^-/'"$;]+|./g;

export function splitStatements(sql: string): string[] {
  const statements = [''];
  for (const [part] of sql.matchAll(skipped)) {
    if (part === ';') statements.push('');
    else statements.push(`${statements.pop() ?? ''}${part}`);
  }
  return statements.map((text) => text.trim()).filter((text) => text.replaceAll(/--[^\n]*\s*/g, '') !== '');
}
