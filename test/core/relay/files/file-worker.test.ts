/**
 * Files of callers, fetched by a worker of the operator's (docs/rules/relay.md#file-fetch), and how
 * large they may be.
 */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { sendJson, startUpstream, type TestUpstream } from '../../../support/upstream.ts';

const model = 'gemini-2.0-flash';
let gateway: TestGateway;
let upstream: TestUpstream;
let worker: TestUpstream;
let key: string;

beforeAll(async () => {
  gateway = await startTestGateway({ MAX_FILE_DOWNLOAD_MB: '1' });
  upstream = await startUpstream();
  worker = await startUpstream();
  // A provider that accepts bytes only, so that URLs must be fetched.
  await gateway.addChannel({ type: 24, baseUrl: upstream.url, models: model });
  await gateway.set('WorkerUrl', `${worker.url}/fetch`);
  await gateway.set('WorkerValidKey', 'worker-secret');
  key = (await gateway.addCustomer(10_000_000)).key;
});
afterAll(async () => {
  await gateway.close();
  await Promise.all([upstream.close(), worker.close()]);
});
beforeEach(() => {
  upstream.requests.length = 0;
  worker.requests.length = 0;
  upstream.answer((response) =>
    sendJson(response, 200, { candidates: [{ content: { parts: [{ text: 'Hi' }] } }] }),
  );
  worker.answer(
    (response) => void response.writeHead(200, { 'content-type': 'image/png' }).end('an image'),
  );
});

const ask = async (url: string) => {
  const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
    }),
  });
  return { status: reply.status, body: (await reply.json()) as { error?: { code?: string } } };
};

it('the worker fetches the URL, and its file is forwarded', async () => {
  await ask('https://images.example/a.png?size=2');
  expect(worker.requests.map(({ method, path, json }) => [method, path, json])).toEqual([
    [
      'POST',
      '/fetch',
      {
        url: 'https://images.example/a.png?size=2',
        key: 'worker-secret',
        method: 'GET',
        headers: {},
        body: null,
      },
    ],
  ]);
  const data = {
    inlineData: { mimeType: 'image/png', data: Buffer.from('an image').toString('base64') },
  };
  expect(upstream.requests[0]?.json).toMatchObject({ contents: [{ parts: [data] }] });
});

it.each(['http://images.example/a.png', 'https://10.0.0.1/a.png'])(
  'gets no request for %s',
  async (url) => {
    expect(await ask(url)).toMatchObject({
      status: 400,
      body: { error: { code: 'address_not_allowed' } },
    });
    expect([worker.requests, upstream.requests]).toEqual([[], []]);
  },
);

it('a worker that refuses leaves the file unreachable', async () => {
  worker.answer((response) => void response.writeHead(403).end());
  expect(await ask('https://images.example/a.png')).toMatchObject({
    status: 400,
    body: { error: { code: 'file_unreachable' } },
  });
});

it('a file is no larger than MAX_FILE_DOWNLOAD_MB', async () => {
  worker.answer(
    (response) =>
      void response
        .writeHead(200, { 'content-type': 'image/png' })
        .end(Buffer.alloc(1024 * 1024 + 1)),
  );
  expect(await ask('https://images.example/a.png')).toMatchObject({
    status: 400,
    body: { error: { code: 'file_too_large' } },
  });
});
