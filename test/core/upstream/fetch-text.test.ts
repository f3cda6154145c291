/** A list of models at an address whose server does not behave (docs/rules/models.md#sources). */
// Covers src/core/upstream/account.ts.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/kernel/clock.ts';
import { fetchText } from '../../../src/core/upstream/account.ts';
import { createUpstream } from '../../../src/core/upstream/send.ts';
import { startUpstream, type TestUpstream } from '../../support/upstream.ts';

const upstream = createUpstream();
const deps = { upstream, clock: systemClock };
let server: TestUpstream;
beforeAll(async () => {
  server = await startUpstream();
});
afterAll(async () => {
  await upstream.close();
  await server.close();
});

const mebibyte = 1024 * 1024;
const read = (limits?: Parameters<typeof fetchText>[3]) =>
  fetchText(`${server.url}/models.json`, undefined, deps, limits);

it('is read whole, compressed or not', async () => {
  const text = JSON.stringify({ text: 'ü'.repeat(mebibyte) });
  server.answer(
    (response) => void response.end(text),
    (response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync(text));
    },
  );
  expect(await read()).toBe(text);
  expect(await read()).toBe(text);
});

describe('is refused', () => {
  it.each(['50 MB', '50 MB when unpacked'])('where it has %s', async (size) => {
    const bytes = Buffer.alloc(50 * mebibyte, 0x20);
    server.answer((response) => {
      if (size !== '50 MB') response.setHeader('content-encoding', 'gzip');
      response.end(size === '50 MB' ? bytes : gzipSync(bytes));
    });
    await expect(read()).rejects.toMatchObject({ code: 'bad_response_body' });
  });

  it('where it is cut off', async () => {
    server.answer((response) => {
      response.setHeader('content-length', 1000);
      response.write('{"format"', () => response.destroy());
    });
    await expect(read()).rejects.toMatchObject({ code: 'upstream_cut' });
  });

  it('where its server answers nothing', async () => {
    server.answer(() => undefined);
    await expect(read({ bytes: mebibyte, idleMs: 50, ms: 60_000 })).rejects.toMatchObject({
      code: 'upstream_timeout',
    });
  });

  it('where it comes byte by byte without an end', async () => {
    const slow = createServer((_request, response) => {
      const timer = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(timer));
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
    const limits = { bytes: mebibyte, idleMs: 60_000, ms: 100 };
    await expect(fetchText(url, undefined, deps, limits)).rejects.toMatchObject({
      code: 'upstream_timeout',
    });
    await new Promise((resolve) => slow.close(resolve));
  });
});
