/** The lookbehind lets a match begin only at the start of a path; otherwise long lines would take quadratic time. */
const pathLike =
  /(?<![\w@.-]|[\w@.-]\/)(?:(?:[\w@.-]+\/)+[\w.-]+\.\w{1,8}|[\w-]{2,}\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|cc?|cpp|hh?|hpp|sql|md|json|ya?ml|toml|sh|css|html|vue|svelte|swift|scala|ex|exs|zig|lua)\b)/g;
const maxPaths = 20;

export function pathsInText(text: string): string[] {
  return [...new Set(text.slice(0, 20_000).match(pathLike) ?? [])].slice(0, maxPaths);
}
