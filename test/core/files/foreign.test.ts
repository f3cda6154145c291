/** Files of other sites through the gateway (docs/rules/files.md#foreign-files). */
import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { codeOf } from '../../support/app.ts';
import { startProvider } from '../../support/provider-server.ts';
import { createFilesApp } from './files-app.ts';

const get = { method: 'GET' };
const png = Buffer.from('\x89PNG\r\n\x1a\n and pixels', 'latin1');
const serving =
  (type: string, body: string | Buffer): RequestListener =>
  (_request, response) =>
    void response.setHeader('content-type', type).end(body);

async function setUp(
  listener: RequestListener,
  environment: Record<string, string> = { FETCH_ALLOW_HOSTS: '127.0.0.1' },
) {
  const requests: string[] = [];
  const url = await startProvider((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    listener(request, response);
  }, 'test');
  const created = await createFilesApp(environment);
  const query = (path: string) => {
    const { searchParams } = new URL(path, 'https://gw.example');
    return {
      address: searchParams.get('address') ?? '',
      exp: searchParams.get('exp') ?? '',
      sig: searchParams.get('sig') ?? '',
    };
  };
  return { ...created, url, requests, query };
}

describe('a file that a user asks for', () => {
  it('is passed on to that user for an hour, in parts too, with a policy that lets it do nothing', async () => {
    const { files, url, query, clock, requests } = await setUp((request, response) => {
      const part = request.headers.range === 'bytes=0-3';
      response.writeHead(part ? 206 : 200, {
        'content-type': 'image/svg+xml; charset=utf-8',
        'set-cookie': 'a=b',
      });
      response.end(part ? '<svg' : '<svg/>');
    });
    const path = await files.foreign.link(7, `${url}/a b.svg?x=1`);
    expect(path).toMatch(/^\/pg\/foreign\?address=http%3A%2F%2F127/);
    expect(requests).toEqual([]);
    const reply = await files.foreign.open(7, query(path), get);
    expect(reply).toMatchObject({
      status: 200,
      headers: {
        'Content-Type': 'image/svg+xml; charset=utf-8',
        'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        'X-Content-Type-Options': 'nosniff',
        'Cross-Origin-Resource-Policy': 'same-origin',
      },
    });
    expect(Object.keys(reply.headers)).not.toContain('set-cookie');
    expect(reply.body && (await text(reply.body))).toBe('<svg/>');
    const part = await files.foreign.open(7, query(path), { ...get, range: 'bytes=0-3' });
    expect([part.status, part.body && (await text(part.body))]).toEqual([206, '<svg']);
    // Somebody else's link, one for another address, and one that is too old.
    expect(await codeOf(files.foreign.open(8, query(path), get))).toBe('result_link_invalid');
    expect(await codeOf(files.foreign.open(7, { ...query(path), address: `${url}/b` }, get))).toBe(
      'result_link_invalid',
    );
    expect(await codeOf(files.foreign.open(7, { ...query(path), exp: '99999999999' }, get))).toBe(
      'result_link_invalid',
    );
    clock.move(71 * 60_000);
    expect(await codeOf(files.foreign.open(7, query(path), get))).toBe('result_link_invalid');
    expect(requests).toHaveLength(2);
  });

  it.each([
    ['a page', serving('text/html', '<script>'), 'result_unreachable'],
    ['bytes of no type', serving('application/octet-stream', 'x'), 'result_unreachable'],
    ['a type that only begins well', serving('image/png,text/html', 'x'), 'result_unreachable'],
    ['what is gone', (_: unknown, response) => void response.writeHead(404).end(), 'result_gone'],
    [
      'more than 200 MB',
      (_: unknown, response) => {
        response.writeHead(200, {
          'content-type': 'video/mp4',
          'content-length': 201 * 1024 * 1024,
        });
        response.flushHeaders();
      },
      'file_too_large',
    ],
    [
      'a redirect inside',
      (_: unknown, response) =>
        void response.writeHead(302, { location: 'http://10.0.0.1/a.png' }).end(),
      'address_not_allowed',
    ],
  ] satisfies [string, RequestListener, string][])(
    'is not passed on: %s',
    async (_, listener, code) => {
      const { files, url, query } = await setUp(listener);
      expect(
        await codeOf(files.foreign.open(7, query(await files.foreign.link(7, `${url}/x`)), get)),
      ).toBe(code);
    },
  );

  it('is public, and asked for with measure', async () => {
    const { files, url, query, requests } = await setUp(serving('image/png', png), {});
    expect(
      await codeOf(files.foreign.open(7, query(await files.foreign.link(7, `${url}/x`)), get)),
    ).toBe('address_not_allowed');
    expect(requests).toEqual([]);
    for (const address of [
      'javascript:x',
      '/api/status',
      'file:///a',
      '//a.example/x',
      `https://a.example/${'x'.repeat(4100)}`,
    ])
      expect(await codeOf(files.foreign.link(7, address))).toBe('invalid_parameter');
    for (let count = 1; count < 120; count++) await files.foreign.link(7, 'https://a.example/');
    expect(await codeOf(files.foreign.link(7, 'https://a.example/'))).toBe('rate_limited');
    expect(await codeOf(files.foreign.link(8, 'https://a.example/'))).toBe('it did not fail');
  });
});

describe('an icon of the model square', () => {
  const entry = {
    model: 'm',
    description: 'd',
    type: 'chat',
    tags: ['a'],
    manufacturer: 'm',
    price_type: 2,
    context: '8K',
    specification: ['a'],
    publish_time: '2026-11-20',
    status: 1,
  };

  it('is fetched once in an hour, however many ask, and only while an entry has it', async () => {
    const { files, operator, url, requests, clock } = await setUp(serving('image/png', png));
    const icon = `${url}/icon.png`;
    expect(await files.findIcon(icon)).toBeNull();
    await operator.modelSquare.add({ ...entry, icon });
    const found = await Promise.all([
      files.findIcon(icon),
      files.findIcon(icon),
      files.findIcon(icon),
    ]);
    expect(found.map((one) => one?.type)).toEqual(['image/png', 'image/png', 'image/png']);
    expect(requests).toEqual(['GET /icon.png']);
    clock.move(3_600_001);
    await files.findIcon(icon);
    expect(requests).toHaveLength(2);
    await operator.modelSquare.update({ model: 'm', icon: 'https://other.example/a.png' });
    expect(await files.findIcon(icon)).toBeNull();
    expect(requests).toHaveLength(2);
  });

  it.each([
    ['a page that is called a picture', serving('image/png', '<script>'), null],
    ['an SVG', serving('image/svg+xml', '<?xml version="1.0"?><svg/>'), 'image/svg+xml'],
    ['an SVG that is called a page', serving('text/html', '<svg/>'), null],
    [
      'an ICO without a type',
      serving('application/octet-stream', Buffer.from('\0\0\x01\0\x01\0', 'latin1')),
      'image/x-icon',
    ],
    ['a video', serving('video/mp4', Buffer.from('\0\0\0\x20ftypisom', 'latin1')), null],
    ['more than 512 KB', serving('image/png', Buffer.concat([png, Buffer.alloc(600_000)])), null],
    [
      'an error',
      (_: unknown, response) =>
        void response.writeHead(500, { 'content-type': 'image/png' }).end(png),
      null,
    ],
  ] satisfies [string, RequestListener, string | null][])('%s', async (_, listener, type) => {
    const { files, operator, url, requests, clock } = await setUp(listener);
    const icon = `${url}/icon`;
    await operator.modelSquare.add({ ...entry, icon });
    expect((await files.findIcon(icon))?.type ?? null).toBe(type);
    // What could not be had is not asked for by every visitor.
    await files.findIcon(icon);
    expect(requests).toHaveLength(1);
    clock.move(60_001);
    await files.findIcon(icon);
    expect(requests).toHaveLength(type === null ? 2 : 1);
  });

  it('inside the network is not fetched', async () => {
    const { files, operator, url, requests } = await setUp(serving('image/png', png), {});
    await operator.modelSquare.add({ ...entry, icon: `${url}/icon` });
    expect(await files.findIcon(`${url}/icon`)).toBeNull();
    expect(requests).toEqual([]);
  });
});
