/** A line for each request, where somebody asked for it (docs/rules/process.md#access-log). */
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { silentLogger } from '../../src/core/kernel/logger.ts';
import { startQuota } from '../support/calls.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { openSocket, refusedSocket } from '../support/socket-client.ts';
import { chatReply, startUpstream, type TestUpstream } from '../support/upstream.ts';

const lines: string[] = [];
let gateway: TestGateway;
let upstream: TestUpstream;
let key = '';
beforeAll(async () => {
  upstream = await startUpstream();
  const environment = { TRUSTED_PROXIES: 'private' };
  gateway = await startTestGateway(environment, undefined, undefined, silentLogger, (line) =>
    lines.push(line),
  );
  await gateway.addChannel({ type: 1, baseUrl: upstream.url, models: 'gpt-4o-mini' });
  ({ key } = await gateway.addCustomer(startQuota));
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const combined =
  /^(\S+) - - \[(\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000)\] "(\w+ \S+ HTTP\/1\.1)" (\d{3}) (\d+) "([^"\\]|\\.)*" "([^"\\]|\\.)*" (\d+)\n$/;

/** The line of what `send` requests. */
async function lineOf(send: () => Promise<unknown>): Promise<RegExpExecArray> {
  lines.length = 0;
  await send();
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  const found = combined.exec(lines[0] ?? '');
  if (found === null) throw new Error(`not in the format: ${lines[0]}`);
  return found;
}
const body = (stream: boolean) =>
  JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }], stream });
const headers = () => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });
const chat = (stream: boolean, signal?: AbortSignal) =>
  fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    body: body(stream),
    headers: { ...headers(), 'x-forwarded-for': '203.0.113.9', 'user-agent': 'Tool/1.0' },
    ...(signal === undefined ? {} : { signal }),
  }).then((reply) => reply.text());

test.each([false, true])(
  'of a chat: caller, path, status, bytes and time; stream: %s',
  async (stream) => {
    let text = '';
    const [line, address, , words, status, bytes] = await lineOf(async () => {
      text = await chat(stream);
    });
    expect([address, words, status]).toEqual([
      '203.0.113.9',
      'POST /v1/chat/completions HTTP/1.1',
      '200',
    ]);
    expect(Number(bytes)).toBeGreaterThan(text.length);
    expect(line).toContain('"-" "Tool/1.0" ');
  },
);

test('of the console, of what nobody serves, and of a refusal', async () => {
  const statusOf = async (path: string, init: RequestInit = {}) =>
    (await lineOf(async () => (await fetch(gateway.url + path, init)).text()))[4];
  expect(await statusOf('/api/status')).toBe('200');
  expect(await statusOf('/api/nothing')).toBe('404');
  expect(await statusOf('/v1/chat/completions', { method: 'POST', body: body(false) })).toBe('401');
});

test('no secret and no line of its own is in it', async () => {
  await lineOf(
    () =>
      new Promise<void>((resolve) => {
        const { hostname, port } = new URL(gateway.url);
        const sent = request({
          hostname,
          port,
          path: '/v1beta/models/gpt-4o-mini:x?key=sk-secret&a="b',
          headers: {
            'user-agent': 'a"b\\c\u00e9',
            referer: 'https://panel.example/reset?token=mail-secret#part',
            cookie: 'session=cookie-secret',
            authorization: 'Bearer sk-header-secret',
          },
        });
        sent.on('response', (reply) => reply.resume().on('end', resolve)).end();
      }),
  );
  expect(lines[0]).not.toContain('secret');
  expect(lines[0]).toContain('"GET /v1beta/models/gpt-4o-mini:x HTTP/1.1" ');
  expect(lines[0]).toContain('"https://panel.example/reset" "a\\"b\\\\c\\xc3\\xa9"');
});

test('of a client that leaves before a reply', async () => {
  let goOn = () => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  upstream.answer(async (response, received) => {
    await held;
    await chatReply()(response, received);
  });
  const before = upstream.requests.length;
  const [, , , , status] = await lineOf(async () => {
    const leaving = new AbortController();
    const left = chat(false, leaving.signal).catch(() => undefined);
    await vi.waitFor(() => expect(upstream.requests.length).toBe(before + 1));
    leaving.abort();
    await left;
  });
  expect(status).toBe('499');
  goOn();
});

test('of a WebSocket when it is over, and of one that is refused', async () => {
  const url = `${gateway.url.replace('http', 'ws')}/v1/responses`;
  const [, , , words, open] = await lineOf(async () => {
    const socket = await openSocket(url, { headers: headers() });
    socket.socket.close();
    await socket.closed;
  });
  expect([words, open]).toEqual(['GET /v1/responses HTTP/1.1', '101']);
  const [, , , , refused] = await lineOf(() =>
    refusedSocket(url, { headers: { authorization: 'Bearer sk-unknown' } }),
  );
  expect(refused).toBe('401');
});
