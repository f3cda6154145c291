/** The chunks of PNG files (W3C, Portable Network Graphics, third edition). */
import { crc32 } from 'node:zlib';
import { checkSize, damaged } from './image.ts';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export interface PngChunk {
  readonly type: string;
  readonly data: Buffer;
}

/** The header of a PNG file. */
export interface PngHeader {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  /** 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGB with alpha. */
  readonly colorType: number;
  readonly isInterlaced: boolean;
}

const depths: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};
/** Chunks that a decoder must know. A file with others is not a PNG that browsers show. */
const critical: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND']);

export function isPng(bytes: Buffer): boolean {
  return bytes.subarray(0, signature.length).equals(signature);
}

/** All chunks until `IEND`; what follows it is not read. Throws AppError image_damaged. */
export function readChunks(bytes: Buffer): readonly PngChunk[] {
  const chunks: PngChunk[] = [];
  for (let at = signature.length; ; ) {
    if (at + 12 > bytes.length) throw damaged();
    const length = bytes.readUInt32BE(at);
    const end = at + 8 + length;
    if (end + 4 > bytes.length) throw damaged();
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (!/^[A-Za-z]{4}$/.test(type)) throw damaged();
    const isCritical = type.charCodeAt(0) < 0x60;
    if (
      isCritical &&
      (!critical.has(type) || crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end))
    )
      throw damaged();
    chunks.push({ type, data: bytes.subarray(at + 8, end) });
    at = end + 4;
    if (type === 'IEND') return chunks;
  }
}

/** Throws AppError image_damaged, image_too_large. */
export function readHeader([first]: readonly PngChunk[]): PngHeader {
  if (first?.type !== 'IHDR' || first.data.length !== 13) throw damaged();
  const { data } = first;
  const [depth = 0, colorType = -1, compression, filter, interlace = 2] = data.subarray(8);
  if (!depths[colorType]?.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1)
    throw damaged();
  const header = {
    width: data.readUInt32BE(0),
    height: data.readUInt32BE(4),
    depth,
    colorType,
    isInterlaced: interlace === 1,
  };
  checkSize(header.width, header.height);
  return header;
}

/** Throws AppError image_damaged if a chunk stands where no reader expects it. */
export function checkOrder(chunks: readonly PngChunk[], { colorType }: PngHeader): void {
  const count = (type: string) => chunks.filter((chunk) => chunk.type === type).length;
  const firstData = chunks.findIndex(({ type }) => type === 'IDAT');
  const lastData = chunks.findLastIndex(({ type }) => type === 'IDAT');
  const palette = chunks.findIndex(({ type }) => type === 'PLTE');
  const isOneRun = chunks.slice(firstData, lastData + 1).every(({ type }) => type === 'IDAT');
  if (firstData === -1 || !isOneRun || count('IHDR') > 1 || count('PLTE') > 1 || count('tRNS') > 1)
    throw damaged();
  if (palette > firstData || (colorType === 3 && palette === -1)) throw damaged();
}

export function writePng(chunks: readonly PngChunk[]): Buffer {
  const parts: Buffer[] = [signature];
  for (const { type, data } of chunks) {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(data.length);
    head.write(type, 4, 'latin1');
    const tail = Buffer.alloc(4);
    tail.writeUInt32BE(crc32(data, crc32(head.subarray(4))));
    parts.push(head, data, tail);
  }
  return Buffer.concat(parts);
}

/** Whether pixels may be transparent. */
export function hasAlpha(chunks: readonly PngChunk[], { colorType }: PngHeader): boolean {
  return colorType === 4 || colorType === 6 || chunks.some(({ type }) => type === 'tRNS');
}
