/** A hold bounds what a wallet can lose (docs/rules/metering.md#hold-bound). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wav } from '../../../support/audio-files.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { type HonestUpstream, startHonestUpstream } from '../../../support/honest-upstream.ts';
import {
  postgresIsInstalled,
  startPostgres,
  type TestPostgres,
} from '../../../support/postgres.ts';
import { anyText, fc, runs } from '../../../support/property.ts';
import { isTurnOf } from '../../../support/storage.ts';

interface RandomCall {
  readonly path: string;
  /** A text is sent as it is. */
  readonly body: object | string;
  /** A recording to send with it, as a form. */
  readonly seconds?: number;
}

const repeated = (unit: string) =>
  fc.integer({ min: 1, max: 60 }).map((count) => unit.repeat(count));
const base64 = fc
  .uint8Array({ maxLength: 1800 })
  .map((bytes) => Buffer.from(bytes).toString('base64'));
const text = fc.oneof(
  fc.lorem({ maxCount: 60 }),
  fc.string({ maxLength: 600 }),
  anyText(300),
  repeated('有朋自远方来，不亦乐乎？'),
  repeated('😀🏳️‍🌈'),
  repeated('{"key":[1,2,3]}'),
  base64,
  base64.map((data) => `word ${data}`),
  base64.map((data) => `data:image/png;base64,${data}`),
);
const image = base64.map((data) => `data:image/png;base64,${data}`);
const imageUrl = fc.oneof(
  fc.nat(999).map((id) => `https://example.com/${id}.png`),
  image,
);
const limit = fc.option(fc.integer({ min: 1, max: 4000 }), { nil: undefined });
const count = fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined });
const few = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: 1, maxLength: 5 });

const operations: Record<string, fc.Arbitrary<RandomCall>> = {
  chat: fc
    .record({
      texts: few(text),
      images: fc.array(imageUrl, { maxLength: 4 }),
      n: count,
      max_tokens: limit,
    })
    .map(({ texts, images, ...fields }) => ({
      path: '/v1/chat/completions',
      body: {
        model: 'gpt-4o',
        ...fields,
        messages: [
          ...texts.map((content) => ({ role: 'user', content })),
          {
            role: 'user',
            content: images.map((url) => ({ type: 'image_url', image_url: { url } })),
          },
        ],
      },
    })),
  completions: fc
    .record({
      prompt: fc.oneof(text, few(text), few(few(fc.nat(90_000))), few(fc.nat(90_000))),
      n: count,
      best_of: count,
      max_tokens: limit,
    })
    .map((fields) => ({
      path: '/v1/completions',
      body: { model: 'gpt-3.5-turbo-instruct', ...fields },
    })),
  messages: fc
    .record({
      texts: few(text),
      images: fc.array(base64, { maxLength: 2 }),
      cached: fc.boolean(),
      max_tokens: fc.integer({ min: 1, max: 4000 }),
    })
    .map(({ texts, images, cached, max_tokens }) => ({
      path: '/v1/messages',
      body: {
        model: 'claude-sonnet-4-5',
        max_tokens,
        messages: [
          {
            role: 'user',
            content: [
              ...texts.map((one) => ({
                type: 'text',
                text: one,
                ...(cached && { cache_control: { type: 'ephemeral', ttl: '1h' } }),
              })),
              ...images.map((data) => ({
                type: 'image',
                source: { type: 'base64', media_type: 'image/png', data },
              })),
              // A text, whatever it looks like.
              ...images.map((data) => ({
                type: 'tool_use',
                id: 't',
                name: 'f',
                input: { source: data },
              })),
            ],
          },
        ],
      },
    })),
  responses: fc
    .record({
      texts: few(text),
      images: fc.array(imageUrl, { maxLength: 3 }),
      max_output_tokens: limit,
    })
    .map(({ texts, images, ...fields }) => ({
      path: '/v1/responses',
      body: {
        model: 'gpt-4.1',
        ...fields,
        input: [
          {
            role: 'user',
            content: [
              ...texts.map((one) => ({ type: 'input_text', text: one })),
              ...images.map((url) => ({ type: 'input_image', image_url: url })),
            ],
          },
        ],
      },
    })),
  gemini: fc
    .record({
      texts: few(text),
      images: fc.array(base64, { maxLength: 2 }),
      candidateCount: count,
      maxOutputTokens: limit,
    })
    .map(({ texts, images, ...generationConfig }) => ({
      path: '/v1beta/models/gemini-2.5-flash:generateContent',
      body: {
        contents: [
          {
            role: 'user',
            parts: [
              ...texts.map((one) => ({ text: one })),
              ...images.map((data) => ({ inlineData: { mimeType: 'image/png', data } })),
              ...images.map((data) => ({ functionResponse: { name: 'f', response: { data } } })),
            ],
          },
        ],
        generationConfig,
      },
    })),
  embeddings: fc
    .oneof(text, few(text), few(fc.nat(90_000)), few(few(fc.nat(9))))
    .map((input) => ({ path: '/v1/embeddings', body: { model: 'text-embedding-3-small', input } })),
  images: fc
    .record({
      model: fc.constantFrom('dall-e-3', 'gpt-image-1'),
      prompt: text.filter((one) => one.trim() !== ''),
      n: count,
    })
    .map((body) => ({ path: '/v1/images/generations', body })),
  speech: text
    .filter((one) => one !== '')
    .map((input) => ({
      path: '/v1/audio/speech',
      body: { model: 'tts-1', voice: 'alloy', input },
    })),
  transcription: fc.integer({ min: 1, max: 20 }).map((seconds) => ({
    path: '/v1/audio/transcriptions',
    body: { model: 'gpt-4o-transcribe' },
    seconds,
  })),
  rerank: fc
    .record({ query: text.filter((one) => one !== ''), documents: few(text) })
    .map((fields) => ({
      path: '/v1/rerank',
      body: { model: 'jina-reranker-v2-base-multilingual', ...fields },
    })),
  moderations: text.map((input) => ({
    path: '/v1/moderations',
    body: { model: 'omni-moderation-latest', input },
  })),
};

const models = [
  'gpt-4o',
  'gpt-4.1',
  'gpt-3.5-turbo-instruct',
  'text-embedding-3-small',
  'dall-e-3',
  'gpt-image-1',
  'tts-1',
  'gpt-4o-transcribe',
  'omni-moderation-latest',
];

const engines = [
  { name: 'sqlite', skip: !isTurnOf('sqlite in memory') },
  { name: 'postgres', skip: !isTurnOf('postgres') || !postgresIsInstalled() },
];

describe.each(engines.filter(({ skip }) => !skip))('on $name', ({ name }) => {
  let server: TestPostgres | undefined;
  let gateway: TestGateway;
  let upstream: HonestUpstream;

  beforeAll(async () => {
    server = name === 'postgres' ? await startPostgres() : undefined;
    gateway = await startTestGateway(
      server === undefined ? {} : { TURNPIKE_DATABASE_URL: await server.createDatabase() },
    );
    upstream = await startHonestUpstream();
    const add = (type: number, list: string) =>
      gateway.addChannel({ type, baseUrl: upstream.url, models: list });
    await add(1, models.join(','));
    await add(14, 'claude-sonnet-4-5');
    await add(24, 'gemini-2.5-flash');
    await add(38, 'jina-reranker-v2-base-multilingual');
    await gateway.set('SelfUseModeEnabled', true);
    await gateway.set('CheckSensitiveEnabled', false);
  });
  afterAll(async () => {
    await gateway?.close();
    await upstream?.close();
    await server?.stop();
  });

  const send = async (key: string, { path, body, seconds }: RandomCall): Promise<Response> => {
    const headers = { authorization: `Bearer ${key}`, 'accept-language': 'en' };
    if (seconds === undefined) {
      return fetch(gateway.url + path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
    }
    const form = new FormData();
    for (const [field, value] of Object.entries(body)) form.set(field, String(value));
    form.set('file', new File([new Uint8Array(wav(seconds))], 'a.wav', { type: 'audio/wav' }));
    return fetch(gateway.url + path, { method: 'POST', headers, body: form });
  };

  /** Sends all of them at once on one wallet; what is left of it, and the charges. */
  const sendAll = async (quota: number, calls: readonly RandomCall[]) => {
    const customer = await gateway.addCustomer(quota);
    const statuses = await Promise.all(
      calls.map(async (call) => {
        const reply = await send(customer.key, call);
        await reply.arrayBuffer();
        return reply.status;
      }),
    );
    const { items } = await gateway.client.log.list({
      username: customer.username,
      type: 2,
      page_size: 100,
    });
    const charges = items.map((row) => row.quota);
    return {
      left: (await gateway.client.user.get({ id: customer.userId })).quota,
      charges,
      statuses,
    };
  };

  it('no wallet ends below minus one request, whatever is asked at once, in every operation', async () => {
    const call = fc.oneof(...Object.values(operations));
    const seen = new Set<number>();
    const served = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 100, max: 400_000 }),
        fc.array(call, { minLength: 4, maxLength: 16 }),
        async (quota, calls) => {
          const { left, charges, statuses } = await sendAll(quota, calls);
          expect(left).toBeGreaterThanOrEqual(-Math.max(0, ...charges));
          expect(left).toBe(quota - charges.reduce((sum, one) => sum + one, 0));
          for (const [index, status] of statuses.entries()) {
            seen.add(status);
            if (status === 200) served.add(calls[index]?.path ?? '');
          }
        },
      ),
      runs(name === 'postgres' ? 12 : 40),
    );
    expect([...seen].sort()).toEqual(expect.arrayContaining([200, 403]));
    expect([...seen].filter((status) => ![200, 403, 429].includes(status))).toEqual([]);
    expect(served.size).toBe(Object.keys(operations).length);
    expect(await gateway.client.ledger.verify()).toMatchObject({ ok: true, drifts: [] });
  }, 240_000);

  it.skipIf(name === 'postgres')(
    'no charge of an operation exceeds its hold, where a wallet can bear it',
    async () => {
      for (const [operation, arbitrary] of Object.entries(operations)) {
        await fc.assert(
          fc.asyncProperty(arbitrary, async (call) => {
            const customer = await gateway.addCustomer(1_000_000_000);
            const reply = await send(customer.key, call);
            expect([operation, reply.status, reply.ok ? '' : await reply.text()]).toEqual([
              operation,
              200,
              '',
            ]);
            await reply.arrayBuffer().catch(() => undefined);
            const { items } = await gateway.client.log.list({
              username: customer.username,
              type: 2,
            });
            for (const row of items) {
              const { held } = JSON.parse(row.other).admin_info;
              expect([operation, row.quota <= held, row.quota, held]).toEqual([
                operation,
                true,
                row.quota,
                held,
              ]);
            }
          }),
          runs(8),
        );
      }
    },
    240_000,
  );

  describe('a wallet of 400,000 survives forty calls at once', () => {
    const many = (call: RandomCall) => Array.from({ length: 40 }, () => call);
    const chat = (fields: object): RandomCall => ({
      path: '/v1/chat/completions',
      body: {
        model: 'gpt-4o',
        max_tokens: 10,
        messages: [{ role: 'user', content: 'Hi' }],
        ...fields,
      },
    });
    const spelt = ({ path, body }: RandomCall): RandomCall => ({
      path,
      body: JSON.stringify(body)
        .replaceAll('"image_url":', '"image\\u005furl":')
        .replaceAll('"content":', '"conte\\u006et":'),
    });
    const dense = 'Zm9vYmFy'.repeat(32_000);
    it.each<[string, RandomCall]>([
      ['of a text without blanks', chat({ messages: [{ role: 'user', content: dense }] })],
      [
        'of such a text in the arguments of a tool',
        chat({
          messages: [
            { role: 'user', content: 'x' },
            {
              role: 'assistant',
              content: null,
              tool_calls: [
                { id: 'c', type: 'function', function: { name: 'f', arguments: dense } },
              ],
            },
          ],
        }),
      ],
      ['with 128 answers each', chat({ n: 128, max_tokens: 1000 })],
      ['with 128 answers and no limit', chat({ n: 128, max_tokens: undefined })],
      [
        'with 500 prompts each',
        {
          path: '/v1/completions',
          body: {
            model: 'gpt-3.5-turbo-instruct',
            max_tokens: 100,
            best_of: 3,
            prompt: Array.from({ length: 500 }, () => 'Hi'),
          },
        },
      ],
      [
        'with 200 images by URL each',
        chat({
          messages: [
            {
              role: 'user',
              content: Array.from({ length: 200 }, (_, id) => ({
                type: 'image_url',
                image_url: { url: `https://example.com/${id}` },
              })),
            },
          ],
        }),
      ],
      [
        'with 200 images by URL, spelt with escapes',
        spelt(
          chat({
            messages: [
              {
                role: 'user',
                content: Array.from({ length: 200 }, (_, id) => ({
                  type: 'image_url',
                  image_url: { url: `https://example.com/${id}` },
                })),
              },
            ],
          }),
        ),
      ],
    ])(
      '%s',
      async (_, call) => {
        const { left, charges } = await sendAll(400_000, many(call));
        expect(left).toBeGreaterThanOrEqual(-Math.max(0, ...charges));
      },
      60_000,
    );
  });

  it.each([
    ['/v1/chat/completions', { model: 'gpt-4o', messages: [] }, 'n', 'invalid_text_request'],
    [
      '/v1/completions',
      { model: 'gpt-3.5-turbo-instruct', prompt: 'Hi' },
      'n',
      'invalid_text_request',
    ],
    [
      '/v1/completions',
      { model: 'gpt-3.5-turbo-instruct', prompt: 'Hi' },
      'best_of',
      'invalid_text_request',
    ],
    ['/v1/images/generations', { model: 'dall-e-3', prompt: 'Hi' }, 'n', 'invalid_image_request'],
  ])('refuses numbers on %s that are none (%j, %s)', async (path, body, field, code) => {
    const { key } = await gateway.addCustomer(1_000_000);
    for (const value of ['128', 0, -1, 1.5, 129, true, {}]) {
      const reply = await send(key, { path, body: { ...body, [field]: value } });
      expect([value, reply.status, await reply.json()]).toMatchObject([
        value,
        400,
        {
          error: {
            code,
            message: expect.stringContaining(`${field} must be a whole number from 1 to 128`),
          },
        },
      ]);
    }
  });

  it('refuses them in the shape of every format', async () => {
    const { key } = await gateway.addCustomer(1_000_000);
    const message = expect.stringContaining('must be a whole number from 1 to 128');
    const claude = await send(key, {
      path: '/v1/messages',
      body: { model: 'claude-sonnet-4-5', max_tokens: 5, messages: [], n: '128' },
    });
    expect(await claude.json()).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', message },
    });
    const path = '/v1beta/models/gemini-2.5-flash:generateContent';
    for (const generationConfig of [
      { candidateCount: '128' },
      { candidate_count: 1.5 },
      { candidateCount: 1, candidate_count: 0 },
    ]) {
      const gemini = await send(key, { path, body: { contents: [], generationConfig } });
      expect(await gemini.json()).toMatchObject({
        error: { code: 400, status: 'INVALID_ARGUMENT', message },
      });
    }
  });

  it('takes counts of null for absent', async () => {
    const { key } = await gateway.addCustomer(1_000_000);
    const body = {
      model: 'gpt-4o',
      max_tokens: 5,
      messages: [{ role: 'user', content: 'Hi' }],
      n: null,
      best_of: null,
    };
    expect((await send(key, { path: '/v1/chat/completions', body })).status).toBe(200);
  });
});
