/** Images made in memory, with the parts that tests are about. */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export type Chunk = readonly [type: string, data: Buffer];

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(data.length);
  const tail = Buffer.alloc(4);
  tail.writeUInt32BE(crc32(body));
  return Buffer.concat([head, body, tail]);
}

export interface PngDescription {
  readonly width: number;
  readonly height: number;
  /** 2: RGB. */
  readonly colorType?: number;
  readonly depth?: number;
  readonly interlace?: number;
  /**
   * The rows before compression, each with the byte of its filter. Absent: black or transparent
   * pixels.
   */
  readonly rows?: Buffer;
  /** Between header and pixels. */
  readonly before?: readonly Chunk[];
  readonly after?: readonly Chunk[];
  readonly trailer?: Buffer;
}

const channels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

export function makePng({
  width,
  height,
  colorType = 2,
  depth = 8,
  interlace = 0,
  rows,
  before = [],
  after = [],
  trailer,
}: PngDescription): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([depth, colorType, 0, 0, interlace], 8);
  const rowBytes = 1 + Math.ceil((width * depth * (channels[colorType] ?? 1)) / 8);
  const pixels = rows ?? Buffer.alloc(rowBytes * height);
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    ...before.map(([type, data]) => pngChunk(type, data)),
    pngChunk('IDAT', deflateSync(pixels)),
    ...after.map(([type, data]) => pngChunk(type, data)),
    pngChunk('IEND', Buffer.alloc(0)),
    trailer ?? Buffer.alloc(0),
  ]);
}

/** The chunks of a PNG as they stand in the file. */
export function chunksOf(png: Buffer): readonly Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push([png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, at + 8 + length)]);
    at += 12 + length;
  }
  return chunks;
}

/** The rows of a PNG as they stand in the file, filters included. */
export function rowsOf(png: Buffer): Buffer {
  return inflateSync(
    Buffer.concat(chunksOf(png).flatMap(([type, data]) => (type === 'IDAT' ? [data] : []))),
  );
}

export function jpegSegment(marker: number, payload: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(payload.length + 2, 2);
  return Buffer.concat([head, payload]);
}

export interface JpegDescription {
  readonly width: number;
  readonly height: number;
  /** Behind the start of the image. */
  readonly segments?: readonly Buffer[];
  /** Coded data of the scan; stuffed bytes and restart markers included. */
  readonly scan?: Buffer;
  readonly trailer?: Buffer;
}

/** A JPEG with the structure of one. Its pixels cannot be decoded. */
export function makeJpeg({
  width,
  height,
  segments = [],
  scan = Buffer.from([1, 0xff, 0, 2, 0xff, 0xd0, 3]),
  trailer,
}: JpegDescription): Buffer {
  const frame = Buffer.from([
    8,
    height >> 8,
    height & 0xff,
    width >> 8,
    width & 0xff,
    1,
    1,
    0x11,
    0,
  ]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...segments,
    jpegSegment(0xdb, Buffer.alloc(65, 1)),
    jpegSegment(0xc0, frame),
    jpegSegment(0xc4, Buffer.alloc(20, 2)),
    jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    scan,
    Buffer.from([0xff, 0xd9]),
    trailer ?? Buffer.alloc(0),
  ]);
}

/** TIFF data with an orientation among other entries, in either byte order. */
export function makeExif(orientation: number, order: 'II' | 'MM' = 'II'): Buffer {
  const tiff = Buffer.alloc(8 + 2 + 2 * 12 + 4);
  const isLittle = order === 'II';
  const write16 = (value: number, at: number) =>
    isLittle ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at);
  const write32 = (value: number, at: number) =>
    isLittle ? tiff.writeUInt32LE(value, at) : tiff.writeUInt32BE(value, at);
  tiff.write(order, 0, 'latin1');
  write16(42, 2);
  write32(8, 4);
  write16(2, 8);
  write16(0x010f, 10); // camera maker
  write16(2, 12);
  write32(4, 14);
  tiff.write('Cam\0', 18, 'latin1');
  write16(0x0112, 22);
  write16(3, 24);
  write32(1, 26);
  write16(orientation, 30);
  return tiff;
}
