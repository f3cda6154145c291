/**
 * Removes metadata from JPEG files without decoding them (ITU-T T.81, annex B). Kept: what pixels
 * are decoded from, the JFIF header without its thumbnail, the colour profile, Adobe's colour
 * transform and the orientation. Whatever follows the image is dropped.
 */
import { type CleanImage, checkSize, damaged } from './image.ts';
import { readOrientation, writeOrientation } from './orientation.ts';

const startOfImage = 0xd8;
const endOfImage = 0xd9;
const startOfScan = 0xda;
const application0 = 0xe0;
const application15 = 0xef;
const comment = 0xfe;
/** Huffman and arithmetic tables, quantisation tables, restart interval. */
const tables: ReadonlySet<number> = new Set([0xc4, 0xcc, 0xdb, 0xdd]);

/**
 * Baseline to lossless frames: C0 to CF without the tables C4 and CC, and C8, which is reserved.
 */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
const isMetadata = (marker: number): boolean =>
  (marker >= application0 && marker <= application15) || marker === comment;

export function isJpeg(bytes: Buffer): boolean {
  return bytes.length > 3 && bytes[0] === 0xff && bytes[1] === startOfImage && bytes[2] === 0xff;
}

interface Segment {
  readonly marker: number;
  readonly payload: Buffer;
  /** Where the next one begins. */
  readonly end: number;
}

/** The segment at an offset; undefined at the end of the image. Throws AppError image_damaged. */
function segmentAt(bytes: Buffer, offset: number): Segment | undefined {
  let at = offset;
  if (bytes[at] !== 0xff) throw damaged();
  while (bytes[at] === 0xff) at++; // fill bytes
  const marker = bytes[at];
  if (marker === undefined || marker === 0) throw damaged();
  if (marker === endOfImage) return undefined;
  const start = at + 1;
  if (start + 2 > bytes.length) throw damaged();
  const end = start + bytes.readUInt16BE(start);
  if (end < start + 2 || end > bytes.length) throw damaged();
  return { marker, payload: bytes.subarray(start + 2, end), end };
}

/**
 * Where the coded data of a scan ends: at the next marker that is neither a restart nor a stuffed
 * byte.
 */
function endOfScan(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at !== -1; at = bytes.indexOf(0xff, at)) {
    const next = bytes[at + 1];
    if (next === undefined) break;
    if (next === 0xff) at += 1;
    else if (next === 0 || (next >= 0xd0 && next <= 0xd7)) at += 2;
    else return at;
  }
  throw damaged();
}

function segment(marker: number, payload: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(payload.length + 2, 2);
  return Buffer.concat([head, payload]);
}

const startsWith = (payload: Buffer, text: string): boolean =>
  payload.toString('latin1', 0, text.length) === text;

/** What is kept of an application segment; undefined: nothing. */
function keptPart(marker: number, payload: Buffer): Buffer | undefined {
  const jfifBytes = 12;
  if (marker === application0 && startsWith(payload, 'JFIF\0') && payload.length >= jfifBytes + 2)
    // a thumbnail of 0 by 0
    return Buffer.concat([payload.subarray(0, jfifBytes), Buffer.alloc(2)]);
  if (marker === 0xe2 && startsWith(payload, 'ICC_PROFILE\0')) return payload;
  if (marker === 0xee && startsWith(payload, 'Adobe') && payload.length >= 12)
    return payload.subarray(0, 12);
  return undefined;
}

interface Frame {
  readonly width: number;
  readonly height: number;
}

function readFrame(payload: Buffer): Frame {
  if (payload.length < 6) throw damaged();
  const frame = { height: payload.readUInt16BE(1), width: payload.readUInt16BE(3) };
  checkSize(frame.width, frame.height);
  return frame;
}

/** Throws AppError image_damaged, image_too_large. */
export function cleanJpeg(bytes: Buffer): CleanImage {
  const kept: Buffer[] = [];
  let jfif: Buffer | undefined;
  let frame: Frame | undefined;
  let orientation = 1;
  let hasScan = false;
  let at = 2;
  for (let found = segmentAt(bytes, at); found !== undefined; found = segmentAt(bytes, at)) {
    const { marker, payload, end } = found;
    at = end;
    if (isMetadata(marker)) {
      if (marker === 0xe1 && startsWith(payload, 'Exif\0\0') && orientation === 1)
        orientation = readOrientation(payload.subarray(6));
      const part = keptPart(marker, payload);
      if (part === undefined) continue;
      if (marker === application0) jfif ??= segment(marker, part);
      else kept.push(segment(marker, part));
      continue;
    }
    if (isFrame(marker)) {
      if (frame !== undefined) throw damaged();
      frame = readFrame(payload);
    } else if (marker !== startOfScan && !tables.has(marker)) throw damaged();
    kept.push(segment(marker, payload));
    if (marker !== startOfScan) continue;
    if (frame === undefined) throw damaged();
    hasScan = true;
    at = endOfScan(bytes, end);
    kept.push(bytes.subarray(end, at));
  }
  if (frame === undefined || !hasScan) throw damaged();
  const turned =
    orientation === 1
      ? []
      : [segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), writeOrientation(orientation)]))];
  const start = Buffer.from([0xff, startOfImage]);
  const stop = Buffer.from([0xff, endOfImage]);
  const clean = Buffer.concat([
    start,
    ...(jfif === undefined ? [] : [jfif]),
    ...turned,
    ...kept,
    stop,
  ]);
  return { type: 'image/jpeg', bytes: clean, ...frame, hasAlpha: false };
}
