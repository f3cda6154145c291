import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { createLatestRelease } from '../../../src/core/site/latest-release.ts';
import { codeOf } from '../../support/app.ts';
import { createMovingClock } from '../../support/moving-clock.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function codeHost(answer: RequestListener) {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    answer(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closing.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/repos/x/y/releases/latest`,
    requests: () => requests,
  };
}

const start = Date.UTC(2026, 0, 2);
const lookUp = (address: string, clock = createMovingClock(start)) =>
  createLatestRelease({ address, clock, logger: silentLogger });

test('a release is read and reused for an hour', async () => {
  const clock = createMovingClock(start);
  const host = await codeHost((_, response) =>
    response.end(JSON.stringify({ tag_name: 'v9.1.0', body: '## New', draft: false })),
  );
  const latest = lookUp(host.address, clock);
  expect(await latest()).toEqual({ tag_name: 'v9.1.0', body: '## New' });
  await clock.moveMinutes(59);
  await latest();
  expect(host.requests()).toBe(1);
  await clock.moveMinutes(2);
  await latest();
  expect(host.requests()).toBe(2);
});

test('a failure is reported, not reused', async () => {
  let broken = true;
  const host = await codeHost((_, response) => {
    response.statusCode = broken ? 503 : 200;
    response.end(JSON.stringify({ tag_name: 'v2', body: null }));
  });
  const latest = lookUp(host.address);
  expect(await codeOf(latest())).toBe('release_lookup_failed');
  broken = false;
  expect(await latest()).toEqual({ tag_name: 'v2', body: '' });
});

test.each([
  ['no JSON', '<html>'],
  ['no tag', '{"body":"x"}'],
  ['too large', JSON.stringify({ tag_name: 'v2', body: 'x'.repeat(2_000_000) })],
])('%s: a failure', async (_, body) => {
  const host = await codeHost((_request, response) => response.end(body));
  expect(await codeOf(lookUp(host.address)())).toBe('release_lookup_failed');
});

test('nobody listens, or no address is set', async () => {
  expect(await codeOf(lookUp('http://127.0.0.1:1/latest')())).toBe('release_lookup_failed');
  expect(await codeOf(lookUp('')())).toBe('release_address_missing');
});
