/** A line such as `Signed-off-by: Ada <ada@example.com>` in the last paragraph of a commit message. */
export interface Trailer {
  name: string;
  value: string;
}

const maxMessageLength = 64 * 1024;
const maxValueLength = 200;

/** The trailers of a commit object. Sentences further up that look like one are none. */
export function trailersOf(commit: string): Trailer[] {
  const message = commit.slice(commit.indexOf('\n\n')).trim().slice(-maxMessageLength);
  // A message of one paragraph has no trailers: its first line is the subject.
  const [, ...paragraphs] = message.split('\n\n');
  const last = paragraphs.at(-1) ?? '';
  return last.split('\n').flatMap((line) => {
    const [, name = '', value] = /^([A-Za-z][A-Za-z0-9-]*): +(\S.*)$/.exec(line) ?? [];
    return value === undefined ? [] : [{ name, value: value.slice(0, maxValueLength).trim() }];
  });
}
