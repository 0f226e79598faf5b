/**
 * Terminal control sequences with a 7-bit or 8-bit introducer. A string sequence (OSC, DCS, SOS, PM, APC) is matched
 * only if it is terminated on its line, so an unterminated one does not swallow the text that follows.
 */
const control = String.raw`(?:\u001b\[|\u009b)[0-?]*[ -\/]*[@-~]`;
const string = String.raw`(?:\u001b[PX\]^_]|[\u0090\u0098\u009d-\u009f])[^\u0000-\u0008\u000a-\u001f\u007f-\u009f]*(?:\u0007|\u001b\\|\u009c)`;
const short = String.raw`\u001b[ -\/]*[0-Z\\^-~]`;
const sequences = new RegExp(`${control}|${string}|${short}`, 'g');

export const dropTerminalEscapes = (text: string): string =>
  text.includes('\u001b') || /[\u0080-\u009f]/.test(text) ? text.replace(sequences, '') : text;
