/** Heuristics for all languages at once, to say what a file is about. Local variables do not count. */
const declared =
  /^\s*(?:(?:export|default|public|private|protected|internal|static|abstract|final|override|async|pub(?:\([^)]*\))?|unsafe|inline|extern|virtual|sealed|open|data|partial|declare|readonly)\s+)*(?:function\*?|def|class|struct|enum|union|interface|trait|type|typedef|fn|func|fun|module|mod|namespace|macro_rules!|impl|sub|proc|defmodule|defp?|record|object|protocol|extension)\s+(?:\([^)]*\)\s*)?(?:<[^>]*>\s*)?(?:self\.)?([A-Za-z_$][\w$]*)/;
const implemented = /^\s*(?:unsafe\s+)?impl\b.*\bfor\s+([A-Za-z_]\w*)/;
const macro = /^\s*#\s*define\s+([A-Za-z_]\w*)/;
/** An unindented constant is a name that others use. */
const atMargin =
  /^(?:export\s+)?(?:const|let|var|val|(?:pub\s+)?static(?=\s+[A-Z]))\s+(?:mut\s+)?([A-Za-z_$][\w$]*)/;
const assigned = /^([A-Za-z_]\w*)\s*(?::[^=]+)?=(?!=)/;
const method =
  /^\s+(?:(?:public|private|protected|internal|static|abstract|final|override|async|get|set|virtual|readonly)\s+)*([A-Za-z_$#][\w$]*)\s*(?:<[^>]*>)?\([^;]*\)\s*(?::[^{=]*|throws\s[^{]*)?\{\s*$/;
const typed =
  /^\s*(?:(?:public|private|protected|internal|static|abstract|final|override|virtual|const|inline|extern|unsigned|struct|enum)\s+)*[A-Za-z_][\w<>,.:[\]?*&]*(?:\s+__\w+)?[\s*&]+([A-Za-z_]\w*)\s*\([^;]*$/;
const property = /^(?:[\w$]+\.)+([A-Za-z_$][\w$]*)\s*=\s*(?:async\s+)?(?:function|\()/;
const statements =
  /^\s*(?:return|else|if|while|for|switch|goto|throw|new|await|yield|case|do|try|catch|in|and|or|not|assert|raise|with|elif|match|use|import|from|package)\b/;

const maxDefinitionLength = 300;

export function definedName(line: string): string | undefined {
  if (line.length > maxDefinitionLength || line.length < 4) return undefined;
  for (const rule of statements.test(line) ? always : inOrder) {
    const name = rule.exec(line)?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}

const always = [implemented, declared, macro];
/** Order matters: `const char *name(` is a function, not a constant. */
const inOrder = [...always, property, method, typed, atMargin, assigned];
