/** Malicious files of callers: none may reach forbidden addresses or stop the process. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openai } from '../../../../src/core/providers/openai/index.ts';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';
import { replaceProvider, withoutPassThrough } from '../../../support/providers.ts';
import { sendJson, startUpstream, type TestUpstream } from '../../../support/upstream.ts';

// OpenAI's adapters without pass-through.
const providers = replaceProvider(withoutPassThrough(openai));

const image = 'data:image/png;base64,iVBORw0KGgo=';

let bench: CallBench;
let files: TestUpstream;
let key: string;
const unheard: unknown[] = [];
const hear = (reason: unknown) => unheard.push(reason);

beforeAll(async () => {
  bench = await startCallBench(
    'dall-e-2',
    { FETCH_ALLOW_HOSTS: '127.0.0.1', MAX_REQUEST_BODY_MB: '8' },
    providers,
  );
  files = await startUpstream();
  key = (await bench.gateway.addCustomer(startQuota)).key;
  process.on('unhandledRejection', hear);
});
afterAll(async () => {
  process.off('unhandledRejection', hear);
  await bench.close();
  await files.close();
});
beforeEach(() => {
  bench.upstream.requests.length = 0;
  files.requests.length = 0;
  unheard.length = 0;
  bench.upstream.answer((response) =>
    sendJson(response, 200, { created: 1, data: [{ b64_json: 'AA==' }] }),
  );
});
afterEach(() => expect(unheard).toEqual([]));

const edit = async (fields: object) => {
  const body = JSON.stringify({ model: 'dall-e-2', prompt: 'greener', image: image, ...fields });
  const reply = await bench.post('/v1/images/edits', key, body);
  return { status: reply.status, text: await reply.text() };
};

describe('images to edit', () => {
  it('accept one mask; a failed fetch of others causes no unhandled rejection', async () => {
    const { status } = await edit({ mask: [image, 'http://10.0.0.1/a.png', 'http://[::1]/b.png'] });
    expect(status).toBe(200);
    await new Promise((resolve) => setImmediate(resolve));
  });

  it('write no lines of their own into the form', async () => {
    expect(
      (await edit({ image: 'data:image/png\r\nx-smuggled: yes;base64,iVBORw0KGgo=' })).status,
    ).toBe(200);
    expect(bench.upstream.requests[0]?.bytes.includes('\r\nx-smuggled')).toBe(false);
  });

  it('come from addresses of which a redirect may name no other one', async () => {
    files.answer((response) => void response.writeHead(302, { location: 'http://[' }).end());
    const { status, text } = await edit({ image: `${files.url}/a.png` });
    expect([status, JSON.parse(text)]).toMatchObject([
      400,
      { error: { code: 'file_unreachable' } },
    ]);
  });

  it('are fetched a few at a time, and not at all after one failed', async () => {
    let open = 0;
    let most = 0;
    const held: (() => void)[] = [];
    files.answer((response) => {
      open += 1;
      most = Math.max(most, open);
      held.push(() => {
        open -= 1;
        response.writeHead(404).end();
      });
      if (held.length === 4) held[0]?.();
    });
    const images = Array.from({ length: 100 }, (_, position) => `${files.url}/${position}.png`);
    expect((await edit({ image: undefined, images })).status).toBe(400);
    expect(most).toBe(4);
    expect(files.requests).toHaveLength(4);
  });

  it('are not more than a body may be, however short their addresses are', async () => {
    const megabyte = Buffer.alloc(1024 * 1024);
    files.answer(
      (response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(megabyte),
    );
    const images = Array.from({ length: 20 }, (_, position) => `${files.url}/${position}.png`);
    const { status, text } = await edit({ image: undefined, images });
    expect([status, JSON.parse(text)]).toMatchObject([400, { error: { code: 'file_too_large' } }]);
    expect(files.requests.length).toBeLessThanOrEqual(12);
  });
});

describe('files in a conversation', () => {
  it('are fetched once each', async () => {
    files.answer(
      (response) =>
        void response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from('an image')),
    );
    bench.upstream.answer((response) =>
      sendJson(response, 200, { type: 'message', content: [], usage: { input_tokens: 1 } }),
    );
    const image = (name: string) => ({
      type: 'image_url',
      image_url: { url: `${files.url}/${name}.png` },
    });
    const messages = [
      {
        role: 'user',
        content: [image('a'), { type: 'text', text: 'and' }, image('b'), image('a')],
      },
    ];
    const model = 'gemini-2.0-flash';
    await bench.gateway.addChannel({ type: 24, baseUrl: bench.upstream.url, models: model });
    await bench.post('/v1/chat/completions', key, JSON.stringify({ model, messages }));
    expect(files.requests.map(({ path }) => path).sort()).toEqual(['/a.png', '/b.png']);
    const data = {
      inlineData: { mimeType: 'image/png', data: Buffer.from('an image').toString('base64') },
    };
    expect(bench.upstream.requests[0]?.json).toMatchObject({
      contents: [{ parts: [data, { text: 'and' }, data, data] }],
    });
  });
});
