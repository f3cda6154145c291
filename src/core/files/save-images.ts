/** Stores images that users upload (docs/rules/files.md#images). */
import { createHash } from 'node:crypto';
import type { WindowCounter } from '../cluster/cluster.ts';
import type { UploadFile, UploadFiles } from '../contract/upload.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Storage, Upload } from '../storage/storage.ts';
import { imageUpload } from '../vocabulary/image-upload.ts';
import { cleanImage } from './images/clean-image.ts';
import type { CleanImage } from './images/image.ts';
import { oneAfterAnother } from './one-after-another.ts';
import type { Draft, FileStore } from './store/file-store.ts';
import { newUploadPath, uploadPrefix } from './store/paths.ts';

/** The chunks of a stream. A reader that stops cancels it. */
async function* readStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

export interface SavedImage {
  /** From the root of the site: `/uploads/…`. */
  readonly url: string;
  readonly fullUrl: string;
  /** As the file was called by its sender. */
  readonly name: string;
  /** Bytes of the stored image. */
  readonly size: number;
}

/**
 * Stores all of the files or none. Throws AppError file_missing, too_many_files, file_too_large,
 * image_type_unsupported, image_damaged, image_too_large, upload_space_used, rate_limited,
 * storage_full.
 */
export type SaveImages = (userId: number, files: UploadFiles) => Promise<readonly SavedImage[]>;

export interface SaveImagesDeps {
  readonly storage: Pick<Storage, 'transaction'>;
  readonly store: FileStore;
  /** Files per user. */
  readonly counter: WindowCounter;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The address of this site, without a trailing slash. */
  readonly baseUrl: () => string;
}

/** How long an image is kept that nothing refers to. Seconds. */
export const uploadLife = 7 * 86_400;
const maxFilesPerWindow = 20;
const windowMs = 600_000;
const maxUserMegabytes = 200;
const maxNameCharacters = 200;

/** A received image without metadata that has no path yet. */
interface Received {
  readonly name: string;
  readonly image: Omit<CleanImage, 'bytes'>;
  readonly sha256: string;
  readonly draft: Draft;
}

export function bindSaveImages({
  storage,
  store,
  counter,
  clock,
  ids,
  baseUrl,
}: SaveImagesDeps): SaveImages {
  // One image at a time is held in memory.
  const inTurn = oneAfterAnother();

  const count = async (userId: number): Promise<void> => {
    const { count, remainingMs } = await counter.increment(String(userId), windowMs);
    if (count > maxFilesPerWindow)
      throw new AppError('rate_limited', { seconds: Math.max(1, Math.ceil(remainingMs / 1000)) });
  };

  const clean = (draft: Draft): Promise<Omit<Received, 'name'>> =>
    inTurn(async () => {
      const { bytes, ...image } = cleanImage(await draft.read());
      return {
        image,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        draft: await store.receive(pieces(bytes), bytes.length),
      };
    });

  /** Undefined for the empty part that a browser sends for a field without a file. */
  const receive = async (file: UploadFile): Promise<Received | undefined> => {
    const draft = await store.receive(readStream(file.stream()), imageUpload.maxBytes);
    try {
      if (draft.bytes === 0 && file.name === '') return undefined;
      return { name: shownName(file.name), ...(await clean(draft)) };
    } finally {
      await draft.discard();
    }
  };

  const receiveAll = async (
    userId: number,
    files: UploadFiles,
    received: Received[],
  ): Promise<void> => {
    for await (const file of files) {
      if (received.length === imageUpload.maxFiles)
        throw new AppError('too_many_files', { limit: imageUpload.maxFiles });
      await count(userId);
      const image = await receive(file);
      if (image !== undefined) received.push(image);
    }
    if (received.length === 0) throw new AppError('file_missing');
  };

  /**
   * The rows come first: a row without its file expires, a file without its row would stay for
   * ever.
   */
  const insert = async (
    userId: number,
    rows: readonly Omit<Upload, 'id'>[],
  ): Promise<readonly number[]> =>
    storage.transaction(async (inside) => {
      const added = rows.reduce((sum, { bytes }) => sum + bytes, 0);
      if ((await inside.uploads.sumBytes(userId)) + added > maxUserMegabytes * 1024 * 1024)
        throw new AppError('upload_space_used', { limit: maxUserMegabytes });
      const inserted: number[] = [];
      for (const row of rows) inserted.push(await inside.uploads.insert(row));
      return inserted;
    });

  const commit = async (
    rows: readonly number[],
    received: readonly Received[],
    paths: readonly string[],
  ): Promise<void> => {
    try {
      for (const [index, { draft }] of received.entries()) await draft.commit(paths[index] ?? '');
    } catch (error) {
      await storage.transaction(async (inside) => {
        for (const id of rows) await inside.uploads.delete(id);
      });
      for (const path of paths) await store.delete(path);
      throw error;
    }
  };

  return async (userId, files) => {
    const received: Received[] = [];
    try {
      await receiveAll(userId, files, received);
      const createdAt = nowSeconds(clock);
      const rows = received.map(({ image, draft, sha256 }) => ({
        userId,
        path: newUploadPath(clock.now(), ids, image.type === 'image/png' ? 'png' : 'jpg'),
        mime: image.type,
        bytes: draft.bytes,
        width: image.width,
        height: image.height,
        sha256,
        createdAt,
        expiresAt: createdAt + uploadLife,
      }));
      const paths = rows.map(({ path }) => path);
      await commit(await insert(userId, rows), received, paths);
      return received.map(({ name, draft }, index) => {
        const url = `${uploadPrefix}${paths[index]}`;
        return { url, fullUrl: `${baseUrl()}${url}`, name, size: draft.bytes };
      });
    } finally {
      for (const { draft } of received) await draft.discard();
    }
  };
}

/** Without folders and control characters. */
function shownName(name: string): string {
  return (name.split(/[\\/]/).at(-1) ?? '').replace(/\p{Cc}/gu, '').slice(0, maxNameCharacters);
}

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
