import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCalls, openUpstream } from '../../../src/core/upstream/open-upstream.ts';
import { codeOf } from '../../support/app.ts';
import { startUpstream, type TestUpstream } from '../../support/upstream.ts';

let server: TestUpstream;
beforeAll(async () => {
  server = await startUpstream();
});
afterAll(() => server.close());

const request = () => ({
  method: 'GET' as const,
  url: `${server.url}/hello`,
  headers: {},
  firstByteTimeout: 5000,
  idleTimeout: 5000,
});
const guard = { allowPrivate: false, ports: [], hosts: [] };

test('the first call opens connections, and others use them', async () => {
  server.answer((response) => void response.end('hello'));
  const calls = createCalls();
  expect((await calls.collect(request(), 100)).bytes.toString()).toBe('hello');
  expect((await calls.collect(request(), 100)).status).toBe(200);
  await calls.close();
});

test('a policy is kept', async () => {
  const calls = createCalls(guard);
  expect(await codeOf(calls.collect(request(), 100))).toBe('address_not_allowed');
  await calls.close();
  const upstream = await openUpstream(guard);
  expect(await codeOf(upstream.collect(request(), 100))).toBe('address_not_allowed');
  await upstream.close();
});

test('what never called closes', async () => {
  await expect(createCalls().close()).resolves.toBeUndefined();
});
