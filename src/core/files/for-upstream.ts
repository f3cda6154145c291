/**
 * Images that a task names, in the form in which upstreams get them
 * (docs/rules/files.md#images-for-upstreams).
 */

import { AppError, type ErrorCode } from '../kernel/errors.ts';
import { checkUrl, type GuardPolicy } from '../upstream/guard.ts';
import { imageUpload } from '../vocabulary/image-upload.ts';
import { cleanImage } from './images/clean-image.ts';
import { flattenPng } from './images/flatten-png.ts';
import type { CleanImage } from './images/image.ts';
import { oneAfterAnother } from './one-after-another.ts';
import type { SaveImages } from './save-images.ts';
import type { FileStore } from './store/file-store.ts';
import { uploadPathOf } from './store/paths.ts';

export interface UpstreamImage {
  /**
   * For the task's row and for people: an address, never data. '': an image that came as data and
   * could not be stored.
   */
  readonly url: string;
  /** For the upstream: an address of somebody else unchanged, or a data URI. */
  readonly sent: string;
  /**
   * Deletes what was stored for this, where the work is refused. Never rejects. Absent: nothing was
   * stored.
   */
  readonly discard?: () => Promise<void>;
}

/**
 * An image that a user names by one of our upload addresses, the address of another site, or a data
 * URI, which is stored as an upload of that user while there is room. Throws AppError
 * invalid_parameter (no such form), upload_not_found, image_sides_invalid, address_not_allowed,
 * file_too_large, image_type_unsupported, image_damaged, image_too_large.
 */
export type ForUpstream = (userId: number, address: string) => Promise<UpstreamImage>;

export interface ForUpstreamDeps {
  readonly store: FileStore;
  readonly saveImages: SaveImages;
  /** Deletes the upload with this path. Never rejects. */
  readonly discard: (path: string) => Promise<void>;
  readonly guard: GuardPolicy;
}

const minSide = 240;
const maxSide = 8000;
const maxAddressCharacters = 2048;
/** Why an image that came as data is not stored. */
const withoutRoom: ReadonlySet<ErrorCode> = new Set([
  'upload_space_used',
  'rate_limited',
  'storage_full',
]);

export function bindForUpstream({
  store,
  saveImages,
  discard,
  guard,
}: ForUpstreamDeps): ForUpstream {
  // Images are large: one at a time is held in memory and flattened.
  const inTurn = oneAfterAnother();

  const prepare = (bytes: Buffer): Promise<string> =>
    inTurn(async () => {
      if (bytes.length > imageUpload.maxBytes)
        throw new AppError('file_too_large', { limit: imageUpload.maxBytes / (1024 * 1024) });
      const image = cleanImage(bytes);
      checkSides(image);
      const shown = image.hasAlpha ? await flattenPng(image.bytes) : image.bytes;
      return `data:${image.type};base64,${shown.toString('base64')}`;
    });

  /**
   * A caller who has no room for uploads any more gets the video nevertheless; its row names no
   * image.
   */
  const keep = async (userId: number, bytes: Buffer): Promise<string> => {
    const file = { name: 'image', stream: () => new Blob([new Uint8Array(bytes)]).stream() };
    try {
      return (await saveImages(userId, [file]))[0]?.fullUrl ?? '';
    } catch (error) {
      if (error instanceof AppError && withoutRoom.has(error.code)) return '';
      throw error;
    }
  };

  return async (userId, address) => {
    if (/^data:/i.test(address)) {
      const bytes = bytesOf(address);
      const sent = await prepare(bytes);
      const url = await keep(userId, bytes);
      const path = uploadPathOf(url);
      return { url, sent, ...(path !== undefined && { discard: () => discard(path) }) };
    }
    const path = uploadPathOf(address);
    if (path !== undefined) {
      const bytes = await store.read(path);
      if (bytes === null) throw new AppError('upload_not_found');
      return { url: address, sent: await prepare(bytes) };
    }
    if (address.length > maxAddressCharacters || !URL.canParse(address))
      throw new AppError('invalid_parameter', { field: 'img_url' });
    checkUrl(new URL(address), guard);
    return { url: address, sent: address };
  };
}

function checkSides({ width, height }: Pick<CleanImage, 'width' | 'height'>): void {
  const isValid = Math.min(width, height) >= minSide && Math.max(width, height) <= maxSide;
  if (!isValid)
    throw new AppError('image_sides_invalid', { min: minSide, max: maxSide, width, height });
}

/** The bytes of a base64 data URI, whatever type it declares. */
function bytesOf(uri: string): Buffer {
  const comma = uri.indexOf(',');
  if (comma === -1 || !/;base64$/i.test(uri.slice(0, comma)))
    throw new AppError('invalid_parameter', { field: 'img_url' });
  return Buffer.from(uri.slice(comma + 1), 'base64');
}
