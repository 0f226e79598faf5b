/**
 * Terminal control sequences, by their introducer in seven or eight bits. A string sequence (OSC, DCS, SOS, PM, APC)
 * counts only if it ends on its line: without an end nothing of the text behind it is taken for a part of it.
 */
const control = String.raw`(?:\u001b\[|\u009b)[0-?]*[ -\/]*[@-~]`;
const string = String.raw`(?:\u001b[PX\]^_]|[\u0090\u0098\u009d-\u009f])[^\u0000-\u0008\u000a-\u001f\u007f-\u009f]*(?:\u0007|\u001b\\|\u009c)`;
const short = String.raw`\u001b[ -\/]*[0-Z\\^-~]`;
const sequences = new RegExp(`${control}|${string}|${short}`, 'g');

export const dropTerminalEscapes = (text: string): string =>
  text.includes('\u001b') || /[\u0080-\u009f]/.test(text) ? text.replace(sequences, '') : text;
