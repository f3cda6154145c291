// Covers src/core/relay/formats/openai-images.
import { toFile } from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { decimal } from '../../../../src/core/kernel/decimal.ts';
import { explainLog } from '../../../../src/core/pricing/explain.ts';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';
import { bytesOf, readFormOf } from '../../../support/forms.ts';
import {
  type Answer,
  errorReply,
  sendJson,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let bench: CallBench;
let other: TestUpstream;

beforeAll(async () => {
  bench = await startCallBench('dall-e-2,dall-e-3,gpt-image-1,my-painter,z-image-turbo', {
    FETCH_ALLOW_PRIVATE: 'true',
    FETCH_ALLOWED_PORTS: '',
  });
  other = await startUpstream();
});
afterAll(async () => {
  await bench.close();
  await other.close();
});
beforeEach(() => {
  bench.upstream.requests.length = 0;
});

const imageReply = (count: number, fields: object = {}): Answer => {
  return (response) =>
    sendJson(response, 200, {
      created: 1_700_000_000,
      data: Array.from({ length: count }, (_, position) => ({
        url: `https://images.example/${position}.png`,
      })),
      ...fields,
    });
};

describe('images with a price each', () => {
  // OpenAI's list of DALL·E 2 is $0.016, $0.018, $0.02; then price × size × quality × n × 500,000.
  it.each([
    ['dall-e-2', { size: '256x256' }, 8000],
    ['dall-e-2', { size: '512x512', n: 2 }, 18_000],
    ['dall-e-2', {}, 10_000],
    ['dall-e-3', {}, 20_000],
    ['dall-e-3', { size: '1024x1792' }, 40_000],
    ['dall-e-3', { quality: 'hd' }, 40_000],
    ['dall-e-3', { quality: 'hd', size: '1792x1024' }, 60_000],
  ] as const)('%s %j costs %i', async (model, fields, cost) => {
    const { n = 1 } = fields as { n?: number };
    bench.upstream.answer(imageReply(n));
    const customer = await bench.gateway.addCustomer(startQuota);
    const reply = await bench
      .openAi(customer.key)
      .images.generate({ model, prompt: 'a lake', ...fields });
    expect(reply.data).toHaveLength(n);
    expect(reply.data?.[0]?.url).toBe('https://images.example/0.png');
    expect(bench.upstream.requests[0]).toMatchObject({
      path: '/v1/images/generations',
      json: { model, prompt: 'a lake', ...fields },
    });
    expect(await bench.spent(customer.userId)).toBe(cost);
  });

  it('writes size, quality and number on the log row, and the row explains its charge', async () => {
    bench.upstream.answer(imageReply(1));
    const customer = await bench.gateway.addCustomer(startQuota);
    const fields = { size: '1792x1024', quality: 'hd' } as const;
    await bench
      .openAi(customer.key)
      .images.generate({ model: 'dall-e-3', prompt: 'a lake', ...fields });
    const { row, other } = await bench.newestLog(customer.username);
    expect(row).toMatchObject({
      quota: 60_000,
      model_name: 'dall-e-3',
      content: '1 张图片，大小 1792x1024，品质 hd',
      is_stream: false,
    });
    expect(other).toMatchObject({
      model_price: 0.04,
      model_ratio: 0,
      image_count: 1,
      image_size: '1792x1024',
      image_factor: 3,
    });
    expect(other.admin_info).toMatchObject({ held: 60_000 });
    const ticket = explainLog(
      { prompt_tokens: 0, completion_tokens: 0, quota: 60_000, other },
      decimal(500_000),
    );
    expect(ticket).toMatchObject({ exact: true, lines: [{ kind: 'call', count: 1 }] });
  });

  it('charges the returned images, not the requested ones', async () => {
    bench.upstream.answer(imageReply(1));
    const customer = await bench.gateway.addCustomer(startQuota);
    await bench.openAi(customer.key).images.generate({ model: 'dall-e-2', prompt: 'a lake', n: 3 });
    expect(await bench.spent(customer.userId)).toBe(10_000);
    expect((await bench.newestLog(customer.username)).other.admin_info).toMatchObject({
      held: 30_000,
    });
  });

  it('requests dall-e-2 where no model is named, and prices it as that', async () => {
    bench.upstream.answer(imageReply(1));
    const customer = await bench.gateway.addCustomer(startQuota);
    const reply = await bench.post('/v1/images/generations', customer.key, '{"prompt":"a lake"}');
    expect(reply.status).toBe(200);
    expect(bench.upstream.requests[0]?.json).toEqual({ model: 'dall-e-2', prompt: 'a lake' });
    expect(await bench.spent(customer.userId)).toBe(10_000);
  });

  it('refuses a wallet that cannot pay the whole order', async () => {
    const customer = await bench.gateway.addCustomer(29_999);
    const order = bench
      .openAi(customer.key)
      .images.generate({ model: 'dall-e-2', prompt: 'a lake', n: 3 });
    await expect(order).rejects.toMatchObject({ status: 403, code: 'insufficient_user_quota' });
    expect(bench.upstream.requests).toHaveLength(0);
  });
});

describe('images of models with a ratio', () => {
  it('are charged by the reported tokens, image input at its own ratio', async () => {
    const usage = {
      input_tokens: 300,
      output_tokens: 1056,
      total_tokens: 1356,
      input_tokens_details: { text_tokens: 100, image_tokens: 200 },
    };
    bench.upstream.answer(imageReply(1, { usage }));
    const customer = await bench.gateway.addCustomer(startQuota);
    await bench.openAi(customer.key).images.generate({
      model: 'gpt-image-1',
      prompt: 'a lake',
      quality: 'medium',
      size: '1024x1024',
    });
    // (100 + 200 × 2 + 1056 × 8) × 2.5
    expect(await bench.spent(customer.userId)).toBe(22_370);
    const { row, other } = await bench.newestLog(customer.username);
    expect(row).toMatchObject({ prompt_tokens: 300, completion_tokens: 1056 });
    expect(other).toMatchObject({ image: 200, image_ratio: 2, usage_source: 'upstream' });
    // 1056 tokens out were expected
    expect(other.admin_info?.held).toBeGreaterThan(1056 * 8 * 2.5);
    expect(other.admin_info?.held).toBeLessThan(1200 * 8 * 2.5);
  });

  it('that should report tokens but do not are charged their known tokens', async () => {
    bench.upstream.answer(imageReply(2));
    const customer = await bench.gateway.addCustomer(startQuota);
    const order = {
      model: 'gpt-image-1',
      prompt: 'a lake',
      quality: 'low',
      size: '1024x1024',
      n: 2,
    } as const;
    await bench.openAi(customer.key).images.generate(order);
    const { row, other } = await bench.newestLog(customer.username);
    expect(row['completion_tokens']).toBe(2 * 272);
    expect(other.usage_source).toBe('counted');
  });

  it('without tokens cost 0.0025 per ratio', async () => {
    await bench.gateway.set('ModelRatio', { 'my-painter': 4, 'gpt-image-1': 2.5 });
    bench.upstream.answer(imageReply(2));
    const customer = await bench.gateway.addCustomer(startQuota);
    await bench
      .openAi(customer.key)
      .images.generate({ model: 'my-painter', prompt: 'a lake', n: 2 });
    expect(await bench.spent(customer.userId)).toBe(4 * 0.0025 * 500_000 * 2);
    expect((await bench.newestLog(customer.username)).other).toMatchObject({
      model_price: 0.01,
      image_count: 2,
    });
  });

  it.each([
    [{ prompt_extend: true }, 2],
    [{ prompt_extend: false }, 1],
    [{}, 1],
  ])("with %j cost z-image's price times %i", async (fields, factor) => {
    await bench.gateway.set('ModelRatio', { 'z-image-turbo': 4, 'gpt-image-1': 2.5 });
    bench.upstream.answer(imageReply(1));
    const customer = await bench.gateway.addCustomer(startQuota);
    const body = JSON.stringify({ model: 'z-image-turbo', prompt: 'a lake', ...fields });
    expect((await bench.post('/v1/images/generations', customer.key, body)).status).toBe(200);
    expect(await bench.spent(customer.userId)).toBe(4 * 0.0025 * 500_000 * factor);
    const { other } = await bench.newestLog(customer.username);
    expect(other).toMatchObject({ image_factor: factor });
    // The tokens that a reply might report: of the image, and those of the prompt.
    const { held } = other['admin_info'] as { held: number };
    expect(held).toBeGreaterThan(4 * 4160);
    expect(held).toBeLessThanOrEqual(4 * (4160 + body.length + 10));
  });
});

describe('streamed images', () => {
  const event = (type: string, fields: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  const partial = event('image_generation.partial_image', {
    b64_json: 'QUJD',
    partial_image_index: 0,
  });
  const usage = {
    input_tokens: 10,
    output_tokens: 300,
    total_tokens: 310,
    input_tokens_details: { text_tokens: 10, image_tokens: 0 },
  };
  const order = {
    model: 'gpt-image-1',
    prompt: 'a lake',
    stream: true,
    partial_images: 1,
  } as const;

  it('pass event by event, and the last one brings the usage', async () => {
    bench.upstream.answer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(
        partial + event('image_generation.completed', { b64_json: png.toString('base64'), usage }),
      );
    });
    const customer = await bench.gateway.addCustomer(startQuota);
    const types: string[] = [];
    for await (const part of await bench.openAi(customer.key).images.generate(order))
      types.push(part.type);
    expect(types).toEqual(['image_generation.partial_image', 'image_generation.completed']);
    expect(await bench.spent(customer.userId)).toBe((10 + 300 * 8) * 2.5);
    expect((await bench.newestLog(customer.username)).row).toMatchObject({ is_stream: true });
  });

  it('that break off report it and cost the tokens of one image', async () => {
    bench.upstream.answer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(partial, () => response.destroy());
    });
    const customer = await bench.gateway.addCustomer(startQuota);
    const read = async () => {
      for await (const _ of await bench
        .openAi(customer.key)
        .images.generate({ ...order, quality: 'low', size: '1024x1024' }));
    };
    await expect(read()).rejects.toThrow();
    const { row, other } = await bench.newestLog(customer.username);
    expect(row['completion_tokens']).toBe(272);
    expect(other).toMatchObject({ ended: 'upstream_cut', usage_source: 'counted' });
  });

  it('that begin with an error are an error', async () => {
    bench.upstream.answer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(
        event('error', {
          error: {
            type: 'image_generation_user_error',
            code: 'moderation_blocked',
            message: 'No.',
          },
        }),
      );
    });
    const customer = await bench.gateway.addCustomer(startQuota);
    await expect(bench.openAi(customer.key).images.generate(order)).rejects.toMatchObject({
      code: 'moderation_blocked',
    });
    expect(await bench.spent(customer.userId)).toBe(0);
  });
});

describe('edits', () => {
  it('by form arrive with every file and field, the mapped model in place', async () => {
    const id = await bench.gateway.addChannel({
      type: 1,
      baseUrl: other.url,
      models: 'gpt-image-1-mini',
      model_mapping: '{"gpt-image-1-mini":"real-painter"}',
    });
    await bench.gateway.set('ModelPrice', {
      'gpt-image-1-mini': 0.01,
      'dall-e-2': 0.02,
      'dall-e-3': 0.04,
    });
    other.answer(imageReply(1));
    const customer = await bench.gateway.addCustomer(startQuota);
    await bench.openAi(customer.key).images.edit({
      model: 'gpt-image-1-mini',
      prompt: 'Make it grün',
      image: [
        await toFile(png, 'Å.png', { type: 'image/png' }),
        await toFile(png, 'b.png', { type: 'image/png' }),
      ],
      mask: await toFile(png, 'mask.png', { type: 'image/png' }),
      size: '1024x1024',
    });
    const request = other.requests.at(-1);
    expect(request?.path).toBe('/v1/images/edits');
    expect(request?.text.indexOf('name="model"')).toBeLessThan(
      request?.text.indexOf('name="prompt"') ?? 0,
    );
    const form = await readFormOf(request);
    expect(form.get('model')).toBe('real-painter');
    expect(form.get('prompt')).toBe('Make it grün');
    const images = form.getAll('image[]');
    expect(images.map((image) => (image as File).name)).toEqual(['Å.png', 'b.png']);
    expect(await bytesOf(images[0] ?? null)).toEqual(png);
    expect(await bytesOf(form.get('mask'))).toEqual(png);
    expect(await bench.spent(customer.userId)).toBe(5000);
    await bench.gateway.client.channel.remove({ id });
  });

  it('by JSON pass as they are', async () => {
    bench.upstream.answer(imageReply(1));
    const customer = await bench.gateway.addCustomer(startQuota);
    const body = {
      model: 'dall-e-2',
      prompt: 'greener',
      images: [{ image_url: 'https://images.example/a.png' }],
    };
    expect((await bench.post('/v1/images/edits', customer.key, JSON.stringify(body))).status).toBe(
      200,
    );
    expect(bench.upstream.requests[0]?.json).toEqual(body);
  });

  it('are sent completely again after a failure', async () => {
    const low = await bench.gateway.addChannel({
      type: 1,
      baseUrl: other.url,
      models: 'dall-e-2',
      priority: -1,
    });
    await bench.gateway.set('RetryTimes', 1);
    other.requests.length = 0;
    bench.upstream.answer(errorReply(500, { message: 'out of paint' }));
    other.answer(imageReply(1));
    const customer = await bench.gateway.addCustomer(startQuota);
    const image = await toFile(png, 'a.png', { type: 'image/png' });
    await bench.openAi(customer.key).images.edit({ model: 'dall-e-2', prompt: 'greener', image });
    expect(await bytesOf((await readFormOf(other.requests[0])).get('image'))).toEqual(png);
    expect(await bench.spent(customer.userId)).toBe(10_000);
    const { other: details } = await bench.newestLog(customer.username);
    expect(details.admin_info?.route).toMatchObject([{ status: 500 }, { status: 200 }]);
    await bench.gateway.set('RetryTimes', 0);
    await bench.gateway.client.channel.remove({ id: low });
  });
});

describe('what is refused', () => {
  it.each([
    [{ model: 'dall-e-2' }, 'prompt is required'],
    [{ model: 'dall-e-2', prompt: '  ' }, 'prompt is required'],
    [{ model: 'dall-e-2', prompt: 5 }, 'prompt must be a string'],
    [{ model: 'dall-e-2', prompt: 'a', size: '1024×1024' }, 'letter x'],
    [{ model: 'dall-e-2', prompt: 'a', size: '1024x1792' }, '256x256, 512x512, 1024x1024'],
    [{ model: 'dall-e-3', prompt: 'a', size: '256x256' }, '1024x1792'],
    [{ model: 'dall-e-2', prompt: 'a', n: 0 }, 'n must be'],
    [{ model: 'dall-e-2', prompt: 'a', n: 1000 }, 'n must be'],
    [{ model: 'dall-e-2', prompt: 'a', n: 1.5 }, 'n must be'],
    [{ model: 'dall-e-2', prompt: 'a', response_format: 'gif' }, 'url or b64_json'],
  ])('%j', async (body, words) => {
    const customer = await bench.gateway.addCustomer(startQuota);
    const reply = await bench.post('/v1/images/generations', customer.key, JSON.stringify(body));
    expect(reply.status).toBe(400);
    const { error } = (await reply.json()) as { error: { code: string; message: string } };
    expect(error.code).toBe('invalid_image_request');
    expect(error.message).toContain(words);
    expect(bench.upstream.requests).toHaveLength(0);
    expect(await bench.spent(customer.userId)).toBe(0);
  });

  it('an edit without an image, a variation, a forbidden word', async () => {
    const { key } = await bench.gateway.addCustomer(startQuota);
    const edit = await bench.post('/v1/images/edits', key, '{"prompt":"greener"}');
    expect([edit.status, await edit.text()]).toEqual([
      400,
      expect.stringContaining('image is required'),
    ]);
    expect((await bench.post('/v1/images/variations', key, '{}')).status).toBe(501);
    const words = await bench.post(
      '/v1/images/generations',
      key,
      '{"prompt":"a test_SENSITIVE lake"}',
    );
    expect([words.status, await words.text()]).toEqual([
      400,
      expect.stringContaining('sensitive_words_detected'),
    ]);
  });

  it('forwards an upstream error unchanged', async () => {
    bench.upstream.answer(
      errorReply(400, {
        message: 'Your request was rejected',
        type: 'image_error',
        code: 'content_policy_violation',
        param: null,
      }),
    );
    const customer = await bench.gateway.addCustomer(startQuota);
    const order = bench
      .openAi(customer.key)
      .images.generate({ model: 'dall-e-3', prompt: 'a lake' });
    await expect(order).rejects.toMatchObject({
      status: 400,
      code: 'content_policy_violation',
      type: 'image_error',
    });
    expect(await bench.spent(customer.userId)).toBe(0);
  });
});
