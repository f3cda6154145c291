import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/core/config/load.ts';
import { AppError } from '../../../src/core/kernel/errors.ts';
import { openBucket } from '../../../src/core/maintenance/s3-bucket.ts';
import { type S3Store, s3Keys, startS3Store } from '../../support/s3-store.ts';

let store: S3Store;
let dataDir: string;
beforeEach(async () => {
  store = await startS3Store();
  dataDir = mkdtempSync(join(tmpdir(), 'turnpike-s3-'));
});
afterEach(async () => {
  await store.close();
  rmSync(dataDir, { recursive: true });
});

function bucket(change: Record<string, string> = {}, part?: number) {
  const { config } = loadConfig({
    flags: { 'data-dir': dataDir },
    environment: {
      BACKUP_TO: 's3://backups/gate & co/nightly',
      BACKUP_S3_ENDPOINT: store.url,
      BACKUP_S3_REGION: s3Keys.region,
      BACKUP_S3_ACCESS_KEY: s3Keys.accessKey,
      BACKUP_S3_SECRET_KEY: s3Keys.secretKey,
      ...change,
    },
    cwd: dataDir,
  });
  return openBucket(config, config.backupTo, part);
}
const put = (opened: ReturnType<typeof bucket>, name: string, content: Buffer) =>
  opened.receive(name, async (path) => writeFileSync(path, content));
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'accepted',
    (error: unknown) => (error instanceof AppError ? { ...error.params } : String(error)),
  );
const place = 's3://backups/gate & co/nightly';

describe('a bucket', () => {
  test('takes files, lists them over pages, gives them back and deletes them', async () => {
    const opened = bucket();
    const names = ['1', '2', '3', '4', '5', '6', '7'].map((day) => `site-2026-11-0${day}.backup`);
    for (const name of names) await put(opened, name, Buffer.from(`backup ${name}`));
    await put(opened, 'another.backup', Buffer.alloc(0));
    store.objects.set('gate & co/nightly/site-below/x', Buffer.from('of another folder'));
    const bytes = Buffer.byteLength('backup site-2026-11-01.backup');
    expect(await opened.list('site-')).toEqual(names.map((name) => ({ name, bytes })));
    const read = await buffer(await opened.open('site-2026-11-03.backup'));
    expect(read.toString()).toBe('backup site-2026-11-03.backup');
    await opened.remove('site-2026-11-03.backup');
    expect((await opened.list('site-')).length).toBe(6);
    expect([...store.objects.keys()]).toContain('gate & co/nightly/another.backup');
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('takes large files in parts', async () => {
    const opened = bucket({}, 100_000);
    for (const size of [99_999, 100_000, 100_001, 350_000]) {
      const content = randomBytes(size);
      await put(opened, `${size}`, content);
      expect(store.objects.get(`gate & co/nightly/${size}`)?.equals(content)).toBe(true);
    }
    expect(store.uploads.size).toBe(0);
    expect(store.requests.filter((line) => line.includes('partNumber')).length).toBe(2 + 4);
  });

  test('an upload that breaks off leaves no parts that are paid for', async () => {
    const opened = bucket({}, 100_000);
    const deny = store.faults;
    deny.push((request, response) => {
      if (!request.url?.includes('partNumber=2')) return false;
      response.writeHead(403).end('<Error><Code>QuotaExceeded</Code></Error>');
      return true;
    });
    const failed = refusal(put(opened, 'large', randomBytes(250_000)));
    expect(await failed).toEqual({ place, detail: 'QuotaExceeded' });
    expect(store.uploads.size).toBe(0);
    expect(store.objects.size).toBe(0);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('a refusal that comes after the reply has begun is one', async () => {
    const opened = bucket({}, 100_000);
    store.faults.push((request, response) => {
      if (request.method !== 'POST' || !request.url?.includes('uploadId')) return false;
      response.writeHead(200).end('<Error><Code>InternalError</Code></Error>');
      return true;
    });
    const failed = refusal(put(opened, 'large', randomBytes(150_000)));
    expect(await failed).toEqual({ place, detail: 'InternalError' });
  });

  test('that is busy for a moment, or breaks a connection, is asked again', async () => {
    store.faults.push((_, response) => {
      response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>');
      return true;
    });
    store.faults.push((request) => {
      request.socket.destroy();
      return true;
    });
    await put(bucket(), 'site', Buffer.from('content'));
    expect(store.objects.get('gate & co/nightly/site')?.toString()).toBe('content');
    expect(store.requests.length).toBe(3);
  });

  test('says in its words why it refuses', async () => {
    const list = (change: Record<string, string>) => refusal(bucket(change).list(''));
    const words = (code: string) => ({ place, detail: `${code}: Refused by the test` });
    expect(await list({ BACKUP_S3_SECRET_KEY: 'wrong' })).toEqual(words('SignatureDoesNotMatch'));
    expect(await list({ BACKUP_S3_ACCESS_KEY: 'wrong' })).toEqual(words('InvalidAccessKeyId'));
    expect(await list({ BACKUP_S3_REGION: 'mars' })).toEqual(words('AuthorizationHeaderMalformed'));
    expect(await list({ BACKUP_TO: 's3://other' })).toEqual({
      ...words('NoSuchBucket'),
      place: 's3://other',
    });
    expect(await refusal(bucket().open('gone'))).toEqual(words('NoSuchKey'));
    const { port } = new URL(store.url);
    await store.close();
    expect(await list({})).toEqual({ place, detail: `connect ECONNREFUSED 127.0.0.1:${port}` });
  });

  test('names the setting that is missing', () => {
    const missing = (change: Record<string, string>) => {
      try {
        bucket(change);
      } catch (error) {
        return error instanceof AppError && error.params['setting'];
      }
      return 'none';
    };
    expect(missing({ BACKUP_S3_ENDPOINT: '' })).toBe('BACKUP_S3_ENDPOINT');
    expect(missing({ BACKUP_S3_ACCESS_KEY: '' })).toBe('BACKUP_S3_ACCESS_KEY');
    expect(missing({ BACKUP_S3_SECRET_KEY: '' })).toBe('BACKUP_S3_SECRET_KEY');
    expect(missing({ BACKUP_TO: 's3://' })).toBe('BACKUP_TO');
    expect(missing({})).toBe('none');
  });
});
