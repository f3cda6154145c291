/** Images that a task names, in the form in which upstreams get them (docs/rules/files.md#images-for-upstreams). */

import type { UploadFile } from '../contract/upload.ts';
import { AppError } from '../kernel/errors.ts';
import { checkUrl, type GuardPolicy } from '../upstream/guard.ts';
import { cleanImage } from './images/clean-image.ts';
import { flattenPng } from './images/flatten-png.ts';
import type { CleanImage } from './images/image.ts';
import { oneAfterAnother } from './one-after-another.ts';
import type { SaveImages } from './save-images.ts';
import type { FileStore } from './store/file-store.ts';
import { uploadPathOf } from './store/paths.ts';

export interface UpstreamImage {
  /** For the task's row and for people: an address, never data. */
  readonly url: string;
  /** For the upstream: an address of somebody else unchanged, or a data URI. */
  readonly sent: string;
}

/**
 * An image that a user names by one of our upload addresses, the address of another site, or a data URI, which is stored as an upload
 * of that user. Throws AppError invalid_parameter (no such form), upload_not_found, image_sides_invalid, address_not_allowed, and for
 * data URIs what {@link SaveImages} throws.
 */
export type ForUpstream = (userId: number, address: string) => Promise<UpstreamImage>;

export interface ForUpstreamDeps {
  readonly store: FileStore;
  readonly saveImages: SaveImages;
  readonly guard: GuardPolicy;
}

const minSide = 240;
const maxSide = 8000;
const maxAddressCharacters = 2048;

export function bindForUpstream({ store, saveImages, guard }: ForUpstreamDeps): ForUpstream {
  // Images are large: one at a time is held in memory and flattened.
  const inTurn = oneAfterAnother();

  const readUpload = async (path: string): Promise<string> =>
    inTurn(async () => {
      const bytes = await store.read(path);
      if (bytes === null) throw new AppError('upload_not_found');
      const image = cleanImage(bytes);
      checkSides(image);
      const shown = image.hasAlpha ? await flattenPng(image.bytes) : image.bytes;
      return `data:${image.type};base64,${shown.toString('base64')}`;
    });

  return async (userId, address) => {
    if (/^data:/i.test(address)) {
      const [saved] = await saveImages(userId, [fileOf(address)]);
      const path = uploadPathOf(saved?.url ?? '') ?? '';
      return { url: saved?.fullUrl ?? '', sent: await readUpload(path) };
    }
    const path = uploadPathOf(address);
    if (path !== undefined) return { url: address, sent: await readUpload(path) };
    if (address.length > maxAddressCharacters || !URL.canParse(address))
      throw new AppError('invalid_parameter', { field: 'img_url' });
    checkUrl(new URL(address), guard);
    return { url: address, sent: address };
  };
}

function checkSides({ width, height }: Pick<CleanImage, 'width' | 'height'>): void {
  const isValid = Math.min(width, height) >= minSide && Math.max(width, height) <= maxSide;
  if (!isValid) throw new AppError('image_sides_invalid', { min: minSide, max: maxSide, width, height });
}

/** The bytes of a base64 data URI, whatever type it declares. */
function fileOf(uri: string): UploadFile {
  const comma = uri.indexOf(',');
  if (comma === -1 || !/;base64$/i.test(uri.slice(0, comma))) throw new AppError('invalid_parameter', { field: 'img_url' });
  const bytes = Buffer.from(uri.slice(comma + 1), 'base64');
  return { name: 'image', stream: () => new Blob([bytes]).stream() };
}
