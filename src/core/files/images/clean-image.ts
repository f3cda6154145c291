/**
 * Uploaded images (docs/rules/files.md#images): the type is read from the first bytes; the name and
 * the declared type are ignored.
 */
import { AppError } from '../../kernel/errors.ts';
import type { CleanImage } from './image.ts';
import { cleanJpeg, isJpeg } from './jpeg.ts';
import { cleanPng, isPng } from './png.ts';

/**
 * The image without metadata. Throws AppError image_type_unsupported, image_damaged,
 * image_too_large.
 */
export function cleanImage(bytes: Buffer): CleanImage {
  if (isJpeg(bytes)) return cleanJpeg(bytes);
  if (isPng(bytes)) return cleanPng(bytes);
  throw new AppError('image_type_unsupported');
}
