import { crc32, deflateSync, inflateSync } from 'node:zlib';

/**
 * Makes the PNG of a screenshot about four times smaller by giving it a palette of 256 colours. Text and flat areas
 * have few colours, so the difference is not visible. A library for this would be a native program to install.
 */
export function smallPng(png: Buffer): Buffer {
  const { width, height, pixels } = decode(png);
  const { palette, indexes } = quantize(pixels);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++)
    rows.set(indexes.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

export interface Image {
  width: number;
  height: number;
  /** One number per pixel: red, green and blue. */
  pixels: Uint32Array;
}

/** Reads a PNG with 8 bits per channel: the screenshots of Chromium, and what `smallPng` writes. */
export function decode(png: Buffer): Image {
  const data: Buffer[] = [];
  let [width, height, channels] = [0, 0, 0];
  let palette: Buffer | undefined;
  for (let at = signature.length; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const type = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    if (type === 'IDAT') data.push(body);
    else if (type === 'PLTE') palette = body;
    else if (type === 'IHDR') {
      width = body.readUInt32BE(0);
      height = body.readUInt32BE(4);
      channels = { 2: 3, 3: 1, 6: 4 }[body[9] as number] ?? 0;
      if (body[8] !== 8 || channels === 0) throw new Error('not a PNG with 8 bits per channel');
    }
  }
  const bytes = unfilter(inflateSync(Buffer.concat(data)), width * channels, channels);
  const source = palette ?? bytes;
  const pixels = Uint32Array.from({ length: width * height }, (_, at) => {
    const from = palette === undefined ? at * channels : (bytes[at] as number) * 3;
    return source.readUIntBE(from, 3);
  });
  return { width, height, pixels };
}

function unfilter(raw: Buffer, rowBytes: number, channels: number): Buffer {
  const rows = raw.length / (rowBytes + 1);
  const out = Buffer.alloc(rows * rowBytes);
  for (let y = 0; y < rows; y++) {
    const filter = raw[y * (rowBytes + 1)] as number;
    for (let x = 0; x < rowBytes; x++) {
      const at = y * rowBytes + x;
      const left = x < channels ? 0 : (out[at - channels] as number);
      const up = y === 0 ? 0 : (out[at - rowBytes] as number);
      const upLeft = y === 0 || x < channels ? 0 : (out[at - rowBytes - channels] as number);
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, upLeft)][filter] as number;
      out[at] = (raw[y * (rowBytes + 1) + 1 + x] as number) + predicted;
    }
  }
  return out;
}

function paeth(left: number, up: number, upLeft: number): number {
  const estimate = left + up - upLeft;
  const [a, b, c] = [left, up, upLeft].map((value) => Math.abs(estimate - value)) as [number, number, number];
  if (a <= b && a <= c) return left;
  return b <= c ? up : upLeft;
}

/**
 * Chooses 256 colours: the most frequent ones, which are areas and shadows, then others at some distance from all of
 * them, so that the edges of letters keep their shades. Every other colour becomes the nearest of these.
 */
function quantize(pixels: Uint32Array): { palette: number[]; indexes: Uint8Array } {
  const counts = new Map<number, number>();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const frequent = [...counts].sort(([, a], [, b]) => b - a).map(([colour]) => colour);
  let palette = frequent;
  for (let gap = 4; palette.length > maxColours; gap += 4) {
    palette = frequent.slice(0, keptColours);
    for (const colour of frequent)
      if (palette.every((chosen) => distance(chosen, colour) > gap)) palette.push(colour);
  }
  const nearest = new Map(
    frequent.map((colour) => {
      let best = 0;
      for (const [at, chosen] of palette.entries())
        if (distance(chosen, colour) < distance(palette[best] as number, colour)) best = at;
      return [colour, best];
    }),
  );
  return { palette, indexes: Uint8Array.from(pixels, (colour) => nearest.get(colour) as number) };
}

const maxColours = 256;
const keptColours = 112;

/** The largest difference in a channel of two colours. */
export const distance = (a: number, b: number): number =>
  Math.max(
    Math.abs((a >> 16) - (b >> 16)),
    Math.abs(((a >> 8) & 255) - ((b >> 8) & 255)),
    Math.abs((a & 255) - (b & 255)),
  );

/** Whether two pictures differ in few pixels only, as by an id or the antialiasing of another machine. */
export function looksSame(a: Buffer, b: Buffer): boolean {
  const [before, after] = [decode(a), decode(b)];
  if (before.width !== after.width || before.height !== after.height) return false;
  let different = 0;
  for (const [at, colour] of before.pixels.entries())
    if (distance(colour, after.pixels[at] as number) > maxChannelDifference) different += 1;
  return different < before.pixels.length * maxDifferentShare;
}

const maxChannelDifference = 64;
const maxDifferentShare = 0.002;
