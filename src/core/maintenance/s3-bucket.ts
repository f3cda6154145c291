/**
 * Backups in a bucket of a store that speaks Amazon's S3 protocol, with path-style addresses and
 * signatures of version 4 (docs/rules/maintenance.md#backup-bucket).
 */
import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { AppError } from '../kernel/errors.ts';
import type { BackupConfig, BackupStore, StoredFile } from './backup-place.ts';
import { createS3Client, type S3Client, unreachable } from './s3-client.ts';
import { escapeXml, textOf } from './xml-text.ts';

/** A larger file is sent in parts of this size, of which a store takes 10,000. */
const partBytes = 64 * 2 ** 20;

/** Throws AppError backup_place where settings are missing. */
export function openBucket(config: BackupConfig, place: string, part = partBytes): BackupStore {
  const [, bucket = '', path = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(place) ?? [];
  const missing = [
    [bucket, 'BACKUP_TO'],
    [config.backupS3Endpoint, 'BACKUP_S3_ENDPOINT'],
    [config.backupS3AccessKey, 'BACKUP_S3_ACCESS_KEY'],
    [config.backupS3SecretKey, 'BACKUP_S3_SECRET_KEY'],
  ].find(([value]) => value === '')?.[1];
  if (missing !== undefined) throw new AppError('backup_place', { place, setting: missing });
  const folder = path === '' || path.endsWith('/') ? path : `${path}/`;
  const client = createS3Client(config, bucket, place);
  return {
    place,
    list: (start) => listAll(client, folder, start),
    receive: async (name, write) => {
      // A store takes whole files only, so the file is made here first.
      const own = randomBytes(4).toString('hex');
      const draft = join(config.dataDir, `backup-${process.pid}.part-${own}`);
      try {
        const result = await write(draft);
        await upload(client, folder + name, draft, part);
        return result;
      } finally {
        await rm(draft, { force: true });
      }
    },
    open: async (name) => {
      const { body } = await client.send({ method: 'GET', key: folder + name });
      return Readable.from(body === null ? [] : bytesOf(body, place), { objectMode: false });
    },
    remove: async (name) => {
      await client.call({ method: 'DELETE', key: folder + name });
    },
  };
}

async function* bytesOf(
  body: NonNullable<Response['body']>,
  place: string,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } catch (error) {
    throw unreachable(error, place);
  } finally {
    await reader.cancel().catch(() => {});
  }
}

async function listAll(
  client: S3Client,
  folder: string,
  start: string,
): Promise<readonly StoredFile[]> {
  const found: StoredFile[] = [];
  let more: string | undefined;
  do {
    const page = await client.call({
      method: 'GET',
      query: {
        'list-type': '2',
        prefix: folder + start,
        ...(more !== undefined && { 'continuation-token': more }),
      },
    });
    for (const [, item = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
      const name = textOf(item, 'Key').slice(folder.length);
      if (!name.includes('/')) found.push({ name, bytes: Number(textOf(item, 'Size')) });
    }
    more =
      textOf(page, 'IsTruncated') === 'true' ? textOf(page, 'NextContinuationToken') : undefined;
  } while (more !== undefined);
  return found;
}

async function upload(client: S3Client, key: string, file: string, part: number): Promise<void> {
  const { size } = await stat(file);
  const piece = (start: number, end: number) => ({
    length: end - start,
    open: () => createReadStream(file, { start, end: Math.max(start, end - 1) }),
  });
  if (size <= part) {
    await client.call({ method: 'PUT', key, content: piece(0, size) });
    return;
  }
  const begun = await client.call({ method: 'POST', key, query: { uploads: '' } });
  const uploadId = textOf(begun, 'UploadId');
  try {
    const tags: string[] = [];
    for (let start = 0; start < size; start += part) {
      const reply = await client.send({
        method: 'PUT',
        key,
        content: piece(start, Math.min(size, start + part)),
        query: { partNumber: String(tags.length + 1), uploadId },
      });
      await reply.text();
      tags.push(reply.headers.get('etag') ?? '');
    }
    const parts = tags.map(
      (tag, index) =>
        `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`,
    );
    await client.call({
      method: 'POST',
      key,
      query: { uploadId },
      content: `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`,
    });
  } catch (error) {
    // Parts of an upload that is not ended are stored, and paid for, for ever.
    await client.call({ method: 'DELETE', key, query: { uploadId } }).catch(() => {});
    throw error;
  }
}
