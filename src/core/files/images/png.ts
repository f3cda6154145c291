/**
 * Removes metadata from PNG files without decoding them. Kept: pixels, palette, transparency, what
 * colours and proportions depend on, and the orientation. Texts, times, further frames and whatever
 * follows the image are dropped.
 */
import type { CleanImage } from './image.ts';
import { readOrientation, writeOrientation } from './orientation.ts';
import {
  checkOrder,
  hasAlpha,
  isPng,
  type PngChunk,
  readChunks,
  readHeader,
  writePng,
} from './png-chunks.ts';

export { isPng };

const keptTypes: ReadonlySet<string> = new Set([
  'IHDR',
  'PLTE',
  'IDAT',
  'IEND',
  'tRNS',
  'gAMA',
  'cHRM',
  'sRGB',
  'iCCP',
  'cICP',
  'mDCV',
  'cLLI',
  'sBIT',
  'pHYs',
]);

/** Throws AppError image_damaged, image_too_large. */
export function cleanPng(bytes: Buffer): CleanImage {
  const chunks = readChunks(bytes);
  const header = readHeader(chunks);
  checkOrder(chunks, header);
  const exif = chunks.find(({ type }) => type === 'eXIf');
  const orientation = exif === undefined ? 1 : readOrientation(exif.data);
  const turned: readonly PngChunk[] =
    orientation === 1 ? [] : [{ type: 'eXIf', data: writeOrientation(orientation) }];
  const [first, ...rest] = chunks.filter(({ type }) => keptTypes.has(type));
  const kept = first === undefined ? [] : [first, ...turned, ...rest];
  const { width, height } = header;
  return {
    type: 'image/png',
    bytes: writePng(kept),
    width,
    height,
    hasAlpha: hasAlpha(chunks, header),
  };
}
