/**
 * What is known of an image from its bytes, and how a damaged or oversized one is refused
 * (docs/rules/files.md#images).
 */
import { AppError } from '../../kernel/errors.ts';

export type ImageType = 'image/jpeg' | 'image/png';

/** An image without metadata. Its pixels are those of the original. */
export interface CleanImage {
  readonly type: ImageType;
  readonly bytes: Buffer;
  /** As stored in the file; an orientation may turn the image when it is shown. */
  readonly width: number;
  readonly height: number;
  /** Whether pixels may be transparent. */
  readonly hasAlpha: boolean;
}

const maxMegapixels = 50;

export function damaged(): AppError {
  return new AppError('image_damaged');
}

/** Throws AppError image_damaged without pixels, image_too_large above 50 megapixels. */
export function checkSize(width: number, height: number): void {
  if (width < 1 || height < 1) throw damaged();
  if (width * height > maxMegapixels * 1_000_000)
    throw new AppError('image_too_large', { limit: maxMegapixels });
}
