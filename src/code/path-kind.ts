const tests =
  /(?:^|\/)(?:tests?|__tests__|specs?|testing|testdata|fixtures|selftests|e2e|examples?|benchmarks?|__mocks__)\/|(?:^|\/)(?:test_[^/]*|conftest)\.py$|[._-](?:test|spec|tests|bench)\.[^/]+$|(?:Test|Tests|Spec)\.(?:java|kt|cs|scala|swift|php)$/;
const generated =
  /\.(?:min\.(?:js|css)|map|lock|snap|pb\.go|pb\.(?:cc|h)|generated\.[^/]+|designer\.cs)$|_pb2\.py$|(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|go\.sum|generated|dist|build|out)(?:\/|$)|_(?:sh_mask|offset|default|enum)\.h$/;
const vendored =
  /(?:^|\/)(?:vendor|vendored|third[_-]?party|3rdparty|node_modules|external|deps|bower_components)\//;
const docs =
  /(?:^|\/)(?:docs?|Documentation)\/|\.(?:md|rst|txt|adoc|html?|csv|svg|json|ya?ml|po)$|(?:^|\/)(?:CHANGELOG|LICENSE|COPYING|README)[^/]*$/i;

/** Marks a file that is listed but not searched, because it is binary or too large. */
export const skippedFlag = 4;

export const testTier = 2;
export const lastTier = 3;

/** Lower is shown first: 0 sources, 1 documents and data, 2 tests, 3 generated and vendored files. */
export function tierOf(path: string): number {
  if (generated.test(path) || vendored.test(path)) return lastTier;
  if (tests.test(path)) return testTier;
  return isDocument(path) ? 1 : 0;
}

export const isDocument = (path: string): boolean => docs.test(path);

/** The tier in the flags of an indexed file, from which ranking takes it without looking at names. */
export const tierIn = (flags: number): number => flags & 3;

const programExtensions = new Set(
  (
    'c h cc cpp cxx hpp hh hxx ipp cs css scss sass less dart ex exs go hs java js jsx mjs cjs kt kts lua php py pyi ' +
    'rb rake rs scala sh bash zsh sql svelte swift ts tsx mts cts vue zig ' +
    'clj cr erl f90 fs jl l m ml mm nim pl pyx r y'
  ).split(' '),
);

export const isProgram = (path: string): boolean => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.includes('.') && programExtensions.has(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
};
