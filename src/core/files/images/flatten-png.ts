/**
 * Draws a transparent PNG on white, row by row, so that memory stays small however large the image
 * is. Video models refuse transparency (docs/rules/files.md#images-for-upstreams).
 */
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { createDeflate, createInflate, type Deflate } from 'node:zlib';
import { noBytes } from '../../kernel/no-bytes.ts';
import { damaged } from './image.ts';
import {
  checkOrder,
  type PngChunk,
  type PngHeader,
  readChunks,
  readHeader,
  writePng,
} from './png-chunks.ts';
import { applyFilter, undoFilter } from './png-filters.ts';

const chunkSize = 128 * 1024;
/** Start and step of the columns and rows of each pass of an interlaced image. */
const passes = [
  [0, 8, 0, 8],
  [4, 8, 0, 8],
  [0, 4, 4, 8],
  [2, 4, 0, 4],
  [0, 2, 2, 4],
  [1, 2, 0, 2],
  [0, 1, 1, 2],
] as const;

interface Pass {
  readonly width: number;
  readonly height: number;
}

function passesOf({ width, height, isInterlaced }: PngHeader): readonly Pass[] {
  if (!isInterlaced) return [{ width, height }];
  const count = (size: number, start: number, step: number) =>
    Math.ceil(Math.max(0, size - start) / step);
  return passes
    .map(([x, stepX, y, stepY]) => ({
      width: count(width, x, stepX),
      height: count(height, y, stepY),
    }))
    .filter((pass) => pass.width > 0 && pass.height > 0);
}

/** A row of pixels without transparency, from one with it. */
type Composite = (row: Buffer) => Buffer;

/** `channels`: colours of a pixel besides alpha. */
function compositeBytes(channels: number): Composite {
  const pixel = channels + 1;
  return (row) => {
    const out = Buffer.alloc((row.length / pixel) * channels);
    let to = 0;
    for (let at = 0; at < row.length; at += pixel) {
      const alpha = row[at + channels] ?? 0;
      const white = 255 * (255 - alpha);
      for (let channel = 0; channel < channels; channel++)
        out[to++] = Math.round(((row[at + channel] ?? 0) * alpha + white) / 255);
    }
    return out;
  };
}

/** The same for samples of two bytes. */
function compositeWords(channels: number): Composite {
  const pixel = (channels + 1) * 2;
  return (row) => {
    const out = Buffer.alloc((row.length / pixel) * channels * 2);
    let to = 0;
    for (let at = 0; at < row.length; at += pixel) {
      const alpha = row.readUInt16BE(at + channels * 2);
      const white = 65_535 * (65_535 - alpha);
      for (let channel = 0; channel < channels; channel++)
        to = out.writeUInt16BE(
          Math.round((row.readUInt16BE(at + channel * 2) * alpha + white) / 65_535),
          to,
        );
    }
    return out;
  };
}

/** Pixels of exactly one colour are transparent. */
function replaceColor(color: Buffer, white: Buffer): Composite {
  return (row) => {
    const out = Buffer.from(row);
    for (let at = 0; at < row.length; at += color.length)
      if (row.compare(color, 0, color.length, at, at + color.length) === 0) white.copy(out, at);
    return out;
  };
}

/** The same for grey pixels that share a byte. */
function replaceBits(color: number, depth: number): Composite {
  const mask = 2 ** depth - 1;
  return (row) =>
    row.map((byte) => {
      let out = 0;
      for (let shift = 8 - depth; shift >= 0; shift -= depth) {
        const value = (byte >> shift) & mask;
        out |= (value === color ? mask : value) << shift;
      }
      return out;
    }) as Buffer;
}

interface Plan {
  readonly colorType: number;
  /** Bits of a pixel before and after. */
  readonly before: number;
  readonly after: number;
  readonly composite: Composite;
}

function planOf({ colorType, depth }: PngHeader, transparency: Buffer | undefined): Plan {
  const channels = colorType === 2 || colorType === 6 ? 3 : 1;
  const bytes = depth === 16 ? 2 : 1;
  if (colorType === 4 || colorType === 6) {
    const composite = bytes === 1 ? compositeBytes(channels) : compositeWords(channels);
    return {
      colorType: colorType - 4,
      before: (channels + 1) * depth,
      after: channels * depth,
      composite,
    };
  }
  if (transparency === undefined || transparency.length !== channels * 2) throw damaged();
  const samples = Array.from({ length: channels }, (_, index) =>
    transparency.readUInt16BE(index * 2),
  );
  const bits = channels * depth;
  if (depth < 8)
    return { colorType, before: bits, after: bits, composite: replaceBits(samples[0] ?? 0, depth) };
  const color = bytes === 2 ? transparency : Buffer.from(samples.map((sample) => sample & 0xff));
  return {
    colorType,
    before: bits,
    after: bits,
    composite: replaceColor(color, Buffer.alloc(color.length, 0xff)),
  };
}

/** Takes pieces of any length from compressed data. */
class Inflated {
  readonly #stream;
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = noBytes;

  constructor(data: readonly Buffer[]) {
    this.#stream = Readable.from(data).pipe(createInflate({ chunkSize }));
    this.#chunks = this.#stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** Throws AppError image_damaged if there are fewer bytes. */
  async take(length: number): Promise<Buffer> {
    const parts = [this.#rest];
    let size = this.#rest.length;
    while (size < length) {
      const next = await this.#chunks.next().catch(() => undefined);
      if (next === undefined || next.done) throw damaged();
      parts.push(next.value);
      size += next.value.length;
    }
    const whole = parts.length === 1 ? this.#rest : Buffer.concat(parts);
    this.#rest = whole.subarray(length);
    return whole.subarray(0, length);
  }

  close(): void {
    this.#stream.destroy();
  }
}

const bytesOf = (pixels: number, bits: number): number => Math.ceil((pixels * bits) / 8);

/**
 * Reads, changes and filters the rows one after the other; each keeps its filter, so that the file
 * stays about as small.
 */
async function flattenRows(
  header: PngHeader,
  plan: Plan,
  inflated: Inflated,
  deflate: Deflate,
): Promise<void> {
  const distances = { before: Math.max(1, plan.before / 8), after: Math.max(1, plan.after / 8) };
  for (const { width, height } of passesOf(header)) {
    const length = bytesOf(width, plan.before);
    let above: Buffer | undefined;
    let flatAbove: Buffer | undefined;
    for (let index = 0; index < height; index++) {
      const line = await inflated.take(1 + length);
      const filter = line[0] ?? 0;
      if (filter > 4) throw damaged();
      const row = undoFilter(filter, line.subarray(1), above, distances.before);
      const flat = plan.composite(row);
      if (!deflate.write(applyFilter(filter, flat, flatAbove, distances.after)))
        await once(deflate, 'drain');
      above = row;
      flatAbove = flat;
    }
  }
}

async function flattenData(
  header: PngHeader,
  plan: Plan,
  data: readonly Buffer[],
): Promise<Buffer> {
  const inflated = new Inflated(data);
  const deflate = createDeflate({ chunkSize });
  const out: Buffer[] = [];
  deflate.on('data', (chunk: Buffer) => out.push(chunk));
  try {
    await flattenRows(header, plan, inflated, deflate);
    deflate.end();
    await once(deflate, 'end');
    return Buffer.concat(out);
  } finally {
    inflated.close();
    deflate.destroy();
  }
}

/** The palette's colours on white. */
function flattenPalette(palette: Buffer, transparency: Buffer): Buffer {
  return palette.map((value, at) => {
    const alpha = transparency[Math.floor(at / 3)] ?? 255;
    return Math.round((value * alpha + 255 * (255 - alpha)) / 255);
  }) as Buffer;
}

/** A PNG without transparency. Throws AppError image_damaged. */
export async function flattenPng(bytes: Buffer): Promise<Buffer> {
  const chunks = readChunks(bytes);
  const header = readHeader(chunks);
  checkOrder(chunks, header);
  const transparency = chunks.find(({ type }) => type === 'tRNS')?.data;
  const without = chunks.filter(({ type }) => type !== 'tRNS');
  if (header.colorType === 3) {
    if (transparency === undefined) return bytes;
    return writePng(
      without.map(({ type, data }) =>
        type === 'PLTE' ? { type, data: flattenPalette(data, transparency) } : { type, data },
      ),
    );
  }
  const plan = planOf(header, transparency);
  const isData = ({ type }: PngChunk) => type === 'IDAT';
  const data = await flattenData(
    header,
    plan,
    chunks.filter(isData).map((chunk) => chunk.data),
  );
  const first = Buffer.from(chunks[0]?.data ?? []);
  first[9] = plan.colorType;
  const before = without.slice(1, without.findIndex(isData)).filter(({ type }) => type !== 'sBIT');
  const after = without.slice(without.findLastIndex(isData) + 1);
  return writePng([{ type: 'IHDR', data: first }, ...before, { type: 'IDAT', data }, ...after]);
}
