/** Uploading images and fetching them (docs/rules/files.md). */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { makeJpeg, makePng } from '../support/images.ts';
import { startTestServer, type TestServer } from './http.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const png = makePng({ width: 300, height: 240 });
const megabyte = 1024 * 1024;

interface Sent {
  readonly status: number;
  readonly body: {
    success?: boolean;
    code?: string;
    message?: string;
    data?: {
      full_url: string;
      url: string;
      files: { full_url: string; name: string; size: number }[];
    };
  };
}

async function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-uploads-'));
  folders.push(folder);
  const server = await startTestServer({ UPLOAD_DIR: folder });
  const ann = await server.addUser('ann');
  const headers = await server.signIn('ann');
  const upload = (files: readonly (Buffer | [Buffer, string])[], field = 'images', as = headers) =>
    uploadTo(server, as, files, field);
  const stored = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      .length;
  return { server, ann, headers, upload, stored, folder };
}

async function uploadTo(
  server: TestServer,
  headers: Record<string, string>,
  files: readonly (Buffer | [Buffer, string])[],
  field = 'images',
): Promise<Sent> {
  const form = new FormData();
  for (const file of files) {
    const [bytes, name] = Array.isArray(file) ? file : [file, 'photo.png'];
    form.append(field, new Blob([new Uint8Array(bytes)], { type: 'text/html' }), name);
  }
  const reply = await fetch(`${server.url}/pg/upload/image`, {
    method: 'POST',
    headers: { ...headers, 'accept-language': 'en' },
    body: form,
  });
  return { status: reply.status, body: (await reply.json()) as Sent['body'] };
}

describe('uploading', () => {
  it('stores images under names that cannot be guessed and serves what was sent', async () => {
    const { server, upload, stored } = await setUp();
    const { status, body } = await upload([
      png,
      [makeJpeg({ width: 9, height: 9 }), '../../etc/passwd'],
    ]);
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, message: '' });
    const { data } = body;
    expect(data?.url).toMatch(/^\/uploads\/2026\/11\/[0-9a-f]{32}\.png$/);
    expect(data?.full_url.endsWith(data.url)).toBe(true);
    expect(data?.files).toMatchObject([
      { full_url: data?.full_url, name: 'photo.png', size: png.length },
      { name: 'passwd' },
    ]);
    expect(stored()).toBe(2);
    const reply = await fetch(server.url + data?.url);
    expect(Buffer.from(await reply.arrayBuffer()).equals(png)).toBe(true);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-disposition': 'inline',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'public, max-age=31536000, immutable',
    });
  });

  it('needs a login of the console: visitors and system access tokens are refused', async () => {
    const { server, upload, stored, headers } = await setUp();
    expect((await uploadTo(server, {}, [png])).status).toBe(401);
    const token = (await server.send('GET', '/api/user/token', { headers })).json.data as string;
    const { body } = await uploadTo(
      server,
      { authorization: token, 'new-api-user': headers['new-api-user'] ?? '' },
      [png],
    );
    expect(body).toMatchObject({ success: false, code: 'access_token_not_supported' });
    const pair = {
      'server-token': (headers['cookie'] ?? '').split('=')[1] ?? '',
      'user-id': headers['new-api-user'] ?? '',
    };
    expect((await upload([png], 'images', pair)).body.success).toBe(true);
    const foreign = {
      ...headers,
      origin: 'https://elsewhere.example',
      'sec-fetch-site': 'cross-site',
    };
    expect((await uploadTo(server, foreign, [png])).body).toMatchObject({
      code: 'cross_site_request',
    });
    expect(stored()).toBe(1);
  });

  it.each([
    ['no file', [], 'images', 'file_missing'],
    ['a file in another field', [png], 'picture', 'file_missing'],
    [
      'a page with the name of an image',
      [Buffer.from('<html></html>')],
      'images',
      'image_type_unsupported',
    ],
    ['a good and a damaged image', [png, png.subarray(0, 60)], 'images', 'image_damaged'],
    ['six images', [png, png, png, png, png, png], 'images', 'too_many_files'],
    [
      'more than 10 MB',
      [Buffer.concat([png, Buffer.alloc(10 * megabyte)])],
      'images',
      'file_too_large',
    ],
    ['far more than 10 MB', [Buffer.alloc(40 * megabyte)], 'images', 'file_too_large'],
  ])('refuses %s and leaves nothing', async (_, files, field, code) => {
    const { upload, stored, server } = await setUp();
    expect((await upload(files, field)).body).toMatchObject({ success: false, code });
    expect(stored()).toBe(0);
    expect(await server.app.storage.uploads.sum()).toEqual({ files: 0, bytes: 0 });
  });

  it('refuses bodies that are no form, or a broken one', async () => {
    const { server, headers, stored } = await setUp();
    const send = async (type: string, body: string) =>
      (
        await server.send('POST', '/pg/upload/image', {
          headers: { ...headers, 'content-type': type },
          body,
        })
      ).json;
    expect(await send('application/json', '{"images":[]}')).toMatchObject({ code: 'file_missing' });
    expect(await send('multipart/form-data', 'x')).toMatchObject({ code: 'invalid_form' });
    const cut = '--b\r\nContent-Disposition: form-data; name="images"; filename="a.png"\r\n\r\nabc';
    expect(await send('multipart/form-data; boundary=b', cut)).toMatchObject({
      code: 'invalid_form',
    });
    expect(stored()).toBe(0);
  });

  it('leaves nothing of a client that goes away', async () => {
    const { server, headers, stored, folder } = await setUp();
    const head = '--b\r\nContent-Disposition: form-data; name="images"; filename="a.png"\r\n\r\n';
    const sending = request(`${server.url}/pg/upload/image`, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'multipart/form-data; boundary=b',
        'content-length': megabyte,
      },
    });
    sending.on('error', () => undefined);
    sending.write(head + 'x'.repeat(1000));
    const drafts = () => readdirSync(folder, { recursive: true }).length;
    await expect.poll(drafts).toBe(2);
    sending.destroy();
    await expect.poll(stored).toBe(0);
  });

  it('counts files and bytes of a user', async () => {
    const { server, ann, upload } = await setUp();
    for (let round = 0; round < 4; round++)
      expect((await upload([png, png, png, png, png])).body.success).toBe(true);
    const refused = await upload([png]);
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    server.clock.move(600_001);
    const [first] = (await server.app.storage.uploads.page(ann, { offset: 0, limit: 1 })).items;
    if (first === undefined) throw new Error('no row');
    const { id: _, ...row } = first;
    await server.app.storage.uploads.insert({ ...row, path: 'x', bytes: 200 * megabyte - 10 });
    expect((await upload([png])).body).toMatchObject({ code: 'upload_space_used' });
  });
});

describe('serving', () => {
  it('sends parts, says what has not changed, and answers HEAD', async () => {
    const { server, upload } = await setUp();
    const url = server.url + ((await upload([png])).body.data?.url ?? '');
    const get = (headers: Record<string, string>, method = 'GET') =>
      fetch(url, { method, headers });
    const part = await get({ range: 'bytes=1-3' });
    expect(part.status).toBe(206);
    expect(await part.text()).toBe('PNG');
    expect(part.headers.get('content-range')).toBe(`bytes 1-3/${png.length}`);
    const tail = await get({ range: 'bytes=-4' });
    expect(Buffer.from(await tail.arrayBuffer())).toEqual(png.subarray(-4));
    expect((await get({ range: `bytes=${png.length}-` })).status).toBe(416);
    expect((await get({ range: 'bytes=1-2, 5-6' })).status).toBe(200);
    const etag = part.headers.get('etag') ?? '';
    expect((await get({ 'if-none-match': etag })).status).toBe(304);
    expect((await get({ range: 'bytes=1-3', 'if-range': '"other"' })).status).toBe(200);
    const head = await get({}, 'HEAD');
    expect(head.headers.get('content-length')).toBe(String(png.length));
  });

  it('knows no other paths', async () => {
    const { server } = await setUp();
    const paths = [
      `/uploads/2026/11/${'0'.repeat(32)}.png`,
      '/uploads/2026/11/..%2f..%2fsecret.json',
      '/uploads/..%2f..%2f..%2fetc/11/passwd',
      '/uploads/2026/11/%00.png',
      '/uploads/results/2026/x.mp4',
      '/uploads/drafts/11/x.png',
      '/uploads/',
    ];
    for (const path of paths) {
      const reply = await server.send('GET', path);
      expect(reply.status).toBe(404);
      expect(reply.json).toMatchObject({ error: { type: 'invalid_request_error' } });
    }
  });
});
