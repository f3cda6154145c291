import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/kernel/clock.ts';
import type { Notice } from '../../../src/core/notices/notice.ts';
import { createWebhooks, type WebhookTarget } from '../../../src/core/notices/webhook.ts';
import { defaultGuardPolicy, type GuardPolicy } from '../../../src/core/upstream/guard.ts';
import { createUpstream } from '../../../src/core/upstream/send.ts';
import { type Answer, startUpstream, type TestUpstream } from '../../support/upstream.ts';

let receiver: TestUpstream;
beforeAll(async () => {
  receiver = await startUpstream();
});
afterAll(() => receiver.close());
beforeEach(() => {
  receiver.requests.length = 0;
  receiver.answer(status(204));
});

const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(code, headers);
    response.end();
  };

const notice: Notice = { type: 'quota_exceed', title: 't', content: 'c', values: [] };
const clock = { ...systemClock, now: () => 1_700_000_000_000 };
/** The operator named this host, so http to it is fine. */
const named: GuardPolicy = { ...defaultGuardPolicy, hosts: ['127.0.0.1'] };

async function post(target: Partial<WebhookTarget> = {}, given: Notice = notice, guard = named) {
  const webhooks = createWebhooks({ guard, clock, pauses: [1, 1] });
  try {
    await webhooks.post(
      given,
      { url: `${receiver.url}/hook?a=1`, secret: '', ...target },
      new AbortController().signal,
    );
    return 'sent';
  } catch (error) {
    return (error as { code?: unknown }).code;
  } finally {
    await webhooks.close();
  }
}

it('is signed with the secret, which also goes as Bearer', async () => {
  expect(await post({ secret: 'whsec' })).toBe('sent');
  const [request] = receiver.requests;
  expect(request).toMatchObject({ method: 'POST', path: '/hook?a=1' });
  expect(request?.text).toBe(
    '{"type":"quota_exceed","title":"t","content":"c","values":[],"timestamp":1700000000}',
  );
  expect(request?.headers).toMatchObject({
    'content-type': 'application/json',
    'x-webhook-signature': 'a8725a53f21f9a4ff4625f98747acddd71fde8425daf222988fd329157ec263a',
    authorization: 'Bearer whsec',
  });
});

it('carries no credentials without a secret', async () => {
  await post();
  expect(receiver.requests[0]?.headers).not.toHaveProperty('authorization');
  expect(receiver.requests[0]?.headers).not.toHaveProperty('x-webhook-signature');
});

it('has its placeholders filled in order; values stay raw', async () => {
  await post({}, { ...notice, content: '{{value}}: {{value}} {{value}}', values: ['<a>', '2'] });
  expect(receiver.requests[0]?.json).toMatchObject({
    content: '<a>: 2 {{value}}',
    values: ['<a>', '2'],
  });
});

it('is tried three times', async () => {
  receiver.answer(status(500), status(429), status(200));
  expect(await post()).toBe('sent');
  expect(receiver.requests).toHaveLength(3);
  receiver.answer(status(500));
  expect(await post()).toBe('bad_response_status_code');
  expect(receiver.requests).toHaveLength(6);
});

it.each<[string, Answer]>([
  ['longer than what is read', (response) => void response.end('x'.repeat(200_000))],
  [
    'broken off',
    (response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('x', () => response.destroy());
    },
  ],
])('has arrived where the reply to it is %s', async (_, answer) => {
  receiver.answer(answer);
  expect(await post()).toBe('sent');
  expect(receiver.requests).toHaveLength(1);
  // Other statuses fail, whatever their body.
  receiver.answer((response) => void response.writeHead(500).end('x'.repeat(200_000)));
  expect(await post()).toBe('bad_response_status_code');
});

it('follows no redirect', async () => {
  receiver.answer(status(302, { location: `${receiver.url}/elsewhere` }));
  expect(await post()).toBe('bad_response_status_code');
  expect(new Set(receiver.requests.map(({ path }) => path))).toEqual(new Set(['/hook?a=1']));
});

it.each([
  ['http to a host nobody named', 'http://example.com/hook', 'webhook_url_invalid'],
  ['a private address', 'https://10.0.0.1/hook', 'webhook_url_invalid'],
  ['the metadata service', 'https://169.254.169.254/latest', 'webhook_url_invalid'],
  ['a port that is not for the web', 'https://example.com:22/hook', 'webhook_url_invalid'],
  ['a name that leads to this machine', 'https://localhost/hook', 'address_not_allowed'],
  ['no address at all', 'hook', 'webhook_url_invalid'],
])('does not go to %s', async (_, url, code) => {
  expect(await post({ url }, notice, defaultGuardPolicy)).toBe(code);
  expect(receiver.requests).toHaveLength(0);
});

it('goes through the worker where the site has one, signed for the receiver', async () => {
  const unguarded = createUpstream();
  const worker = () => ({ url: `${receiver.url}/worker`, key: 'worker-key' });
  const webhooks = createWebhooks({ guard: named, clock, pauses: [], unguarded, worker });
  const send = (url: string) =>
    webhooks.post(notice, { url, secret: 'whsec' }, new AbortController().signal);
  await send('https://hooks.example/a');
  expect(receiver.requests[0]).toMatchObject({
    path: '/worker',
    json: {
      url: 'https://hooks.example/a',
      key: 'worker-key',
      method: 'POST',
      body: { type: 'quota_exceed', timestamp: 1_700_000_000 },
    },
  });
  const headers = receiver.requests[0]?.json['headers'];
  expect(headers).toMatchObject({
    'x-webhook-signature': 'a8725a53f21f9a4ff4625f98747acddd71fde8425daf222988fd329157ec263a',
    authorization: 'Bearer whsec',
  });
  expect(receiver.requests[0]?.headers).not.toHaveProperty('authorization');
  await send(`${receiver.url}/inside`);
  expect(receiver.requests[1]?.path).toBe('/inside');
  expect(await send('https://10.0.0.1/hook').catch((error: { code: string }) => error.code)).toBe(
    'webhook_url_invalid',
  );
  receiver.answer(status(502));
  await expect(send('https://hooks.example/a')).rejects.toMatchObject({
    code: 'bad_response_status_code',
  });
  await Promise.all([webhooks.close(), unguarded.close()]);
});
