/**
 * Properties of a file derived from its path. They are stored as bits with each indexed file, so that ranking
 * does not need the names.
 */
export const testFlag = 1;
export const generatedFlag = 2;
export const vendoredFlag = 4;
export const docsFlag = 8;
/** Marks a file that is listed but not searched, because it is binary or too large. */
export const skippedFlag = 16;

const tests =
  /(?:^|\/)(?:tests?|__tests__|specs?|testing|testdata|fixtures|selftests|e2e|examples?|benchmarks?|__mocks__)\/|(?:^|\/)(?:test_[^/]*|conftest)\.py$|[._-](?:test|spec|tests|bench)\.[^/]+$|(?:Test|Tests|Spec)\.(?:java|kt|cs|scala|swift|php)$/;
const generated =
  /\.(?:min\.(?:js|css)|map|lock|snap|pb\.go|pb\.(?:cc|h)|generated\.[^/]+|designer\.cs)$|_pb2\.py$|(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|go\.sum|generated|dist|build|out)(?:\/|$)|_(?:sh_mask|offset|default|enum)\.h$/;
const vendored =
  /(?:^|\/)(?:vendor|vendored|third[_-]?party|3rdparty|node_modules|external|deps|bower_components)\//;
const docs =
  /(?:^|\/)(?:docs?|Documentation)\/|\.(?:md|rst|txt|adoc|html?|csv|svg|json|ya?ml|po)$|(?:^|\/)(?:CHANGELOG|LICENSE|COPYING|README)[^/]*$/i;

export function kindOfPath(path: string): number {
  return (
    (tests.test(path) ? testFlag : 0) |
    (generated.test(path) ? generatedFlag : 0) |
    (vendored.test(path) ? vendoredFlag : 0) |
    (docs.test(path) ? docsFlag : 0)
  );
}

export const testTier = 2;
export const lastTier = 3;

/**
 * Ranks a file by its flags; lower is shown first: 0 sources, 1 documents and data, 2 tests, 3 generated and
 * vendored files.
 */
export function tierOf(flags: number): number {
  if ((flags & (generatedFlag | vendoredFlag)) !== 0) return lastTier;
  if ((flags & testFlag) !== 0) return testTier;
  return (flags & docsFlag) !== 0 ? 1 : 0;
}
