/**
 * The budget of bytes that requests hold (docs/rules/relay.md#memory-budget): nothing of it is lost
 * in any ending.
 */
import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MemoryBudget } from '../../../../src/core/relay/memory.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import {
  type Answer,
  chatReply,
  chatStream,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

const megabyte = 1024 * 1024;

/** Numbers from 0 to 1, the same in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

describe('shares', () => {
  it('add up to nothing after random use', () => {
    const random = createRandom(7);
    const budget = new MemoryBudget({ bodies: 10_000, userBodies: 3000, replies: 5000 });
    const shares = Array.from({ length: 40 }, (_, index) => budget.open(index % 9));
    for (let step = 0; step < 5000; step++) {
      const share = shares[Math.floor(random() * shares.length)];
      const bytes = Math.floor(random() * 900);
      const use = [
        () => share?.takeBody(bytes),
        () => share?.tryTakeBody(bytes),
        () => share?.giveBody(bytes),
        () => share?.takeReply(bytes),
        () => share?.holdReply(bytes),
        () => share?.followReply(bytes * 200),
        () => share?.releaseReply(),
      ][Math.floor(random() * 7)];
      try {
        use?.();
      } catch (error) {
        expect(['too_much_in_flight', 'server_busy']).toContain((error as { code?: string }).code);
      }
      expect(budget.held).toBeGreaterThanOrEqual(0);
      expect(budget.held).toBeLessThanOrEqual(15_000);
    }
    for (const share of shares) {
      share.release();
      share.takeBody(100);
      share.release();
    }
    expect([budget.held, budget.users]).toEqual([0, 0]);
  });

  it('follow a growing reply in steps, in each attempt anew', () => {
    const budget = new MemoryBudget({ bodies: 0, userBodies: 0, replies: megabyte });
    const share = budget.open(1);
    const held = [1000, 70_000, 80_000, 140_000, 0].map((bytes) => {
      share.followReply(bytes);
      return budget.held;
    });
    expect(held).toEqual([0, 70_000, 70_000, 140_000, 0]);
    share.followReply(70_000);
    share.releaseReply();
    expect(budget.held).toBe(0);
    share.followReply(70_000);
    expect(budget.held).toBe(70_000);
    expect(() => share.followReply(2 * megabyte)).toThrow('server_busy');
    share.release();
    expect(budget.held).toBe(0);
  });
});

describe('in the gateway', () => {
  let gateway: TestGateway;
  let upstream: TestUpstream;
  let key: string;
  let other: string;

  beforeAll(async () => {
    // So small that one full body needs all of it.
    gateway = await startTestGateway({
      MAX_REQUEST_BODY_MB: '1',
      MAX_BODY_MEMORY_MB: '1',
      MAX_USER_BODY_MEMORY_MB: '1',
      MAX_REPLY_MB: '4',
      MAX_REPLY_MEMORY_MB: '4',
      MAX_STREAM_EVENT_MB: '1',
    });
    upstream = await startUpstream();
    await gateway.addChannel({
      type: 1,
      baseUrl: upstream.url,
      models: 'gpt-4o,text-embedding-3-small',
    });
    await gateway.set('RetryTimes', 1);
    key = (await gateway.addCustomer(1_000_000_000)).key;
    other = (await gateway.addCustomer(1_000_000_000)).key;
  });
  afterAll(async () => {
    await gateway.close();
    await upstream.close();
  });

  /** A chat of exactly `size` bytes. */
  function sized(size: number, fields: object = {}): string {
    const bare = JSON.stringify({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: '' }],
      ...fields,
    });
    return bare.replace(
      '"content":""',
      `"content":"${'a '.repeat(size).slice(0, size - bare.length)}"`,
    );
  }

  function post(
    path: string,
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
    caller = key,
  ) {
    return fetch(gateway.url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${caller}`,
        'content-type': 'application/json',
        ...headers,
      },
      body,
    });
  }

  const embeddingOf =
    (size: number): Answer =>
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const [head, tail] = [
        '{"object":"list","data":[{"object":"embedding","index":0,"embedding":"',
        '"}],"model":"m","usage":{"prompt_tokens":5,"total_tokens":5}}',
      ];
      response.end(`${head}${'A'.repeat(size - head.length - tail.length)}${tail}`);
    };

  async function expectNothingHeld(): Promise<void> {
    upstream.answer(chatReply());
    await expect
      .poll(async () => (await post('/v1/chat/completions', sized(megabyte))).status, {
        timeout: 30_000,
        interval: 100,
      })
      .toBe(200);
    upstream.answer(embeddingOf(4 * megabyte));
    const embed = await post(
      '/v1/embeddings',
      '{"model":"text-embedding-3-small","input":"hi","encoding_format":"base64"}',
    );
    expect([embed.status, (await embed.text()).length]).toEqual([200, 4 * megabyte]);
  }

  it('one body and one reply may fill it', () => expectNothingHeld());

  it('a second body of the same user is refused with a time, in the format of the caller', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const arrived = new Promise<void>((resolve) => {
      upstream.answer(async (response, received) => {
        resolve();
        await held;
        await chatReply()(response, received);
      }, chatReply());
    });
    const first = post('/v1/chat/completions', sized(900_000));
    await arrived;
    const chat = await post('/v1/chat/completions', sized(300_000));
    expect(chat.status).toBe(429);
    expect(chat.headers.get('retry-after')).toBe('1');
    expect(await chat.json()).toMatchObject({
      error: { code: 'too_much_in_flight', type: 'new_api_error' },
    });
    const claude = await post('/v1/messages', sized(300_000, { max_tokens: 5 }));
    expect([claude.status, claude.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await claude.json()).toMatchObject({
      type: 'error',
      error: { type: 'rate_limit_error' },
    });
    const gemini = await post(
      '/v1beta/models/gpt-4o:generateContent',
      sized(300_000, { contents: [] }),
    );
    expect(await gemini.json()).toMatchObject({
      error: { code: 429, status: 'RESOURCE_EXHAUSTED' },
    });
    const busy = await post('/v1/chat/completions', sized(300_000), {}, other);
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await busy.json()).toMatchObject({ error: { code: 'server_busy' } });
    expect((await post('/v1/chat/completions', sized(1000))).status).toBe(200);
    release();
    expect((await first).status).toBe(200);
    await expectNothingHeld();
  });

  /** Sends a part of a body and leaves. */
  function leaveWhileSending(): Promise<void> {
    return new Promise((resolve) => {
      const request = httpRequest(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'content-length': '900000',
        },
      });
      request.on('error', () => resolve());
      request.on('close', () => resolve());
      request.write(sized(400_000), () => setTimeout(() => request.destroy(), 10));
    });
  }

  async function leaveSoon(body: string, after: number): Promise<void> {
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(after),
    }).catch(() => undefined);
    await reply?.text().catch(() => undefined);
  }

  describe('without balance', () => {
    let broke: string;
    let token: { key: string; tokenId: number };

    beforeAll(async () => {
      broke = (await gateway.addCustomer(0)).key;
      token = await gateway.addCustomer(1_000_000);
    });

    async function codeOf(reply: Response): Promise<string | undefined> {
      const { error } = (await reply.json()) as { error?: { code?: string } };
      return error?.code;
    }

    it('the model and the fields of a small body are checked first', async () => {
      const unknown = await post(
        '/v1/chat/completions',
        sized(1000).replace('gpt-4o', 'gpt-0'),
        {},
        broke,
      );
      expect([unknown.status, await codeOf(unknown)]).toEqual([503, 'no_channel']);
      const malformed = await post('/v1/chat/completions', '{', {}, broke);
      expect(await codeOf(malformed)).toBe('invalid_json');
      const priced = await post('/v1/chat/completions', sized(1000), {}, broke);
      expect([priced.status, await codeOf(priced)]).toEqual([403, 'insufficient_user_quota']);
    });

    it('the token comes before everything else', async () => {
      await gateway.client.userTokens.update({ id: token.tokenId, status: 2 });
      const bomb = new Uint8Array(gzipSync(Buffer.alloc(64 * megabyte, 'a')));
      const reply = await post(
        '/v1/chat/completions',
        bomb,
        { 'content-encoding': 'gzip' },
        token.key,
      );
      expect([reply.status, await codeOf(reply)]).toEqual([401, 'token_disabled']);
    });
  });

  it('nothing is left after random endings', async () => {
    const random = createRandom(11);
    const longEvent: Answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"id":"a","choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n');
      response.end(`data: {"choices":[{"delta":{"content":"${'a'.repeat(2 * megabyte)}"}}]}\n\n`);
    };
    const answers: readonly Answer[] = [
      chatReply('x'.repeat(300_000)),
      chatReply('x'.repeat(3 * megabyte)),
      chatStream(['a', 'b'], undefined, { end: 'cut' }),
      longEvent,
      (response) => void response.writeHead(500).end('{"error":{"message":"no"}}'),
      (response) => void response.destroy(),
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write(`{"a":"${'b'.repeat(200_000)}`, () => response.destroy());
      },
    ];
    upstream.answer((response, received) =>
      answers[Math.floor(random() * answers.length)]?.(response, received),
    );
    const stream = () => ({ stream: random() < 0.5 });
    const endings: readonly (() => Promise<unknown>)[] = [
      () => post('/v1/chat/completions', sized(200_000, stream())),
      () => post('/v1/messages', sized(200_000, { max_tokens: 5, ...stream() })),
      () => post('/v1/chat/completions', sized(megabyte + 1)),
      () => post('/v1/chat/completions', sized(300_000).slice(0, -1)),
      () =>
        post('/v1/chat/completions', new Uint8Array(gzipSync(sized(400_000))), {
          'content-encoding': 'gzip',
        }),
      () =>
        post('/v1/chat/completions', new Uint8Array(gzipSync(sized(400_000)).subarray(0, 300)), {
          'content-encoding': 'gzip',
        }),
      () => post('/v1/messages/count_tokens', sized(100_000)),
      () => leaveSoon(sized(200_000, stream()), Math.floor(random() * 40)),
      leaveWhileSending,
    ];
    for (let round = 0; round < 15; round++) {
      await Promise.all(
        Array.from({ length: 6 }, async () => {
          const reply = await endings[Math.floor(random() * endings.length)]?.();
          if (reply instanceof Response) await reply.text().catch(() => undefined);
        }),
      );
    }
    await expectNothingHeld();
  });
});
