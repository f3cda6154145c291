/**
 * Submits through the gateway: what the proxy gets, what the caller gets, what the row says and
 * what it costs.
 */
import { describe, expect, it, vi } from 'vitest';
import { drawn, startDrawingBench, submitted } from './bench.ts';

/** 0.1 currency units. */
const price = 50_000;
const image = 'data:image/png;base64,AAAA';
const untouched = { quota: 1_000_000, used: 0, remain: 900_000, tokenUsed: 0 };
const charged = (amount: number) => ({
  quota: 1_000_000 - amount,
  used: amount,
  remain: 900_000 - amount,
  tokenUsed: amount,
});

describe('every submit', () => {
  it.each([
    [
      '/mj/submit/imagine',
      { prompt: 'cat', state: 's1', botType: 'NIJI_JOURNEY' },
      'IMAGINE',
      price,
    ],
    ['/mj/submit/describe', { base64: image }, 'DESCRIBE', price / 2],
    ['/mj/submit/blend', { base64Array: [image, image], dimensions: 'SQUARE' }, 'BLEND', price],
    ['/mj/submit/shorten', { prompt: 'a very long cat' }, 'SHORTEN', price],
    ['/mj/submit/edits', { prompt: 'cat', image }, 'EDITS', price],
    ['/mj/submit/video', { image, motion: 'low' }, 'VIDEO', price * 8],
    ['/mj/insight-face/swap', { sourceBase64: image, targetBase64: image }, 'SWAP_FACE', price / 2],
  ])('%s reaches the same path, is kept and charged', async (path, body, action, amount) => {
    const bench = await startDrawingBench();
    const reply = await bench.post(`${path}?lang=en&key=none`, body);
    expect([reply.status, reply.body]).toEqual([
      200,
      expect.objectContaining({ code: 1, description: 'Success' }),
    ]);
    const [sent] = bench.proxy.submits();
    expect(sent).toMatchObject({ method: 'POST', path: `${path}?lang=en`, body });
    expect(sent?.headers).toMatchObject({ 'mj-api-secret': 'proxy-secret' });
    expect(JSON.stringify(sent?.headers)).not.toContain(bench.customer.key.slice(3));
    const { customer, channelId } = bench;
    expect(await bench.rows()).toMatchObject([
      {
        action,
        code: 1,
        mjId: reply.body.result,
        userId: customer.userId,
        tokenId: customer.tokenId,
        channelId,
        status: 'SUBMITTED',
        progress: '0%',
        quota: amount,
        failReason: '',
        submitTime: bench.clock.now(),
        prompt: 'prompt' in body ? body.prompt : '',
        state: 'state' in body ? body.state : '',
      },
    ]);
    expect(await bench.balance()).toEqual(charged(amount));
    expect(await bench.channelUsed()).toBe(amount);
    const { items } = await bench.app.storage.logs.page({ type: 2 }, { offset: 0, limit: 10 });
    expect(items).toMatchObject([
      { quota: amount, channelId, promptTokens: 0, completionTokens: 0 },
    ]);
  });

  it('is refused in the words that clients match, before anything is sent', async () => {
    const bench = await startDrawingBench();
    const reply = await bench.post('/mj/submit/imagine', { prompt: ' ' });
    expect([reply.status, reply.body]).toEqual([
      400,
      { description: 'prompt_is_required', type: 'upstream_error', code: 4 },
    ]);
    for (const body of ['{', '[]', '"cat"'])
      expect((await bench.post('/mj/submit/imagine', body)).body.description).toMatch(
        /^bind_request_body_failed/,
      );
    expect(bench.proxy.requests).toEqual([]);
    expect(await bench.rows()).toEqual([]);
    expect(await bench.balance()).toEqual(untouched);
  });

  it('names no more than its own paths and modes', async () => {
    const bench = await startDrawingBench();
    for (const path of ['/mj/submit/other', '/mj-slow/mj/submit/imagine', '/mj/mj/submit/imagine'])
      expect((await bench.post(path, { prompt: 'cat' })).status).toBe(404);
    expect((await bench.get('/mj/submit/imagine')).status).toBe(404);
  });
});

describe('the key', () => {
  it('may stand in mj-api-secret', async () => {
    const { url, customer } = await startDrawingBench();
    const send = (headers: Record<string, string>) =>
      fetch(`${url}/mj/submit/imagine`, { method: 'POST', headers, body: '{"prompt":"cat"}' }).then(
        ({ status }) => status,
      );
    expect(await send({ 'mj-api-secret': customer.key })).toBe(200);
    expect(
      await send({ 'mj-api-secret': `Bearer ${customer.key}`, authorization: 'midjourney-proxy' }),
    ).toBe(200);
    expect(await send({ authorization: 'Bearer midjourney-proxy' })).toBe(401);
    expect(await send({})).toBe(401);
  });

  it('that is wrong, or may spend or use too little, is refused in the shape of the route', async () => {
    const bench = await startDrawingBench();
    const poor = await bench.addCustomer(10_000);
    const limited = await bench.addCustomer(1_000_000, {
      model_limits_enabled: true,
      model_limits: 'mj_describe',
    });
    const refusal = async (key: string | null) => {
      const { status, body } = await bench.post('/mj/submit/imagine', { prompt: 'cat' }, key);
      return [status, body.code, body.type, body.description] as const;
    };
    expect(await refusal(null)).toEqual([401, 4, 'upstream_error', expect.any(String)]);
    expect(await refusal(poor.key)).toEqual([
      403,
      4,
      'upstream_error',
      expect.stringMatching(/^quota_not_enough/),
    ]);
    expect((await refusal(limited.key))[0]).toBe(403);
    expect(bench.proxy.requests).toEqual([]);
    // A read names no model.
    expect((await bench.get('/mj/task/1/fetch', limited.key)).body).toMatchObject({
      description: 'task_no_found',
    });
  });

  it('of a group without a channel gets get_channel_info_failed', async () => {
    const bench = await startDrawingBench();
    await bench.operator.channel.update({ id: bench.channelId, models: 'mj_describe' });
    const reply = await bench.post('/mj/submit/imagine', { prompt: 'cat' });
    expect([reply.status, reply.body]).toEqual([
      503,
      {
        code: 4,
        type: 'upstream_error',
        description: expect.stringMatching(/^get_channel_info_failed/),
      },
    ]);
  });
});

describe('the codes of a proxy', () => {
  it('22 is told to the caller as 1, and kept until the first report', async () => {
    const bench = await startDrawingBench();
    bench.proxy.script({ code: 22, description: 'queued', properties: { numberOfQueues: 1 } });
    const id = await submitted(bench);
    expect(await bench.rows()).toMatchObject([{ code: 22, quota: price }]);
    bench.proxy.report(id, { status: 'IN_PROGRESS', progress: '31%' });
    await bench.poll();
    expect(await bench.rows()).toMatchObject([{ code: 1, status: 'IN_PROGRESS', progress: '31%' }]);
  });

  it.each([
    [3, 200, 'no such task'],
    [4, 200, 'prompt is too long'],
    [9, 200, 'failed'],
    [23, 200, 'queue is full'],
    [24, 200, 'banned prompt'],
    [30, 429, 'saturated'],
  ])('%i costs nothing and fails at once', async (code, status, description) => {
    const bench = await startDrawingBench();
    await bench.addChannel();
    bench.proxy.script({ code, description, properties: { bannedWord: 'x' } });
    const reply = await bench.post('/mj/submit/imagine', { prompt: 'cat' });
    expect([reply.status, reply.body]).toEqual([
      status,
      { code, description, result: '', properties: { bannedWord: 'x' } },
    ]);
    expect(bench.proxy.submits()).toHaveLength(1);
    expect(await bench.rows()).toMatchObject([
      {
        code,
        status: 'FAILURE',
        progress: '100%',
        quota: 0,
        mjId: '',
        failReason: description,
        finishTime: bench.clock.now(),
      },
    ]);
    expect(await bench.balance()).toEqual(untouched);
    await bench.poll();
    expect(await bench.balance()).toEqual(untouched);
  });

  it('a face swap is charged for 1 only', async () => {
    const bench = await startDrawingBench();
    bench.proxy.script({ code: 22 });
    const reply = await bench.post('/mj/insight-face/swap', {
      sourceBase64: image,
      targetBase64: image,
    });
    expect(reply.body.code).toBe(22);
    expect(await bench.balance()).toEqual(untouched);
  });

  it('21 for a task of one’s own costs nothing and adds no row', async () => {
    const bench = await startDrawingBench();
    const id = await drawn(bench);
    const twin = {
      code: 21,
      result: id,
      properties: { status: 'SUCCESS', imageUrl: 'https://images.example/1.png' },
    };
    bench.proxy.script(twin);
    expect(await submitted(bench)).toBe(id);
    expect(await bench.rows()).toHaveLength(1);
    expect(await bench.balance()).toEqual(charged(price));
  });

  it('21 for somebody else’s task is charged, and finished at once', async () => {
    const bench = await startDrawingBench();
    const id = await drawn(bench);
    const other = await bench.addCustomer();
    bench.proxy.script({
      code: 21,
      result: id,
      properties: { status: 'SUCCESS', imageUrl: 'https://images.example/1.png' },
    });
    expect(
      (await bench.post('/mj/submit/imagine', { prompt: 'cat' }, other.key)).body,
    ).toMatchObject({ code: 1, result: id });
    expect((await bench.rows())[1]).toMatchObject({
      code: 21,
      userId: other.userId,
      status: 'SUCCESS',
      progress: '100%',
      quota: price,
      imageUrl: 'https://images.example/1.png',
    });
    expect(await bench.balance(other)).toEqual(charged(price));
  });

  it.each([
    ['MJ::Inpaint::1::h', 'INPAINT'],
    ['MJ::CustomZoom::h', 'CUSTOM_ZOOM'],
  ])(
    '%s opens a window for nothing; what is confirmed in it is charged to its row, and refunded from there',
    async (customId, action) => {
      const bench = await startDrawingBench();
      const parent = await drawn(bench);
      const before = await bench.balance();
      bench.proxy.script({
        code: 21,
        description: 'Waiting for window confirm',
        properties: { remix: true },
      });
      const opened = await bench.post('/mj/submit/action', { taskId: parent, customId });
      expect(opened.body).toMatchObject({ code: 21, description: 'Waiting for window confirm' });
      const id = opened.body.result;
      expect((await bench.rows())[1]).toMatchObject({
        action,
        status: 'MODAL',
        mjId: id,
        quota: 0,
        prompt: 'cat',
      });
      expect(await bench.balance()).toEqual(before);
      bench.proxy.script({ code: 1, result: id });
      expect(
        await submitted(
          bench,
          { taskId: id, prompt: 'dog', maskBase64: image },
          '/mj/submit/modal',
        ),
      ).toBe(id);
      const rows = await bench.rows();
      expect(rows).toHaveLength(2);
      expect(rows[1]).toMatchObject({
        action: 'MODAL',
        status: 'SUBMITTED',
        progress: '0%',
        quota: price,
        mjId: id,
      });
      expect(await bench.balance()).toEqual(charged(2 * price));
      bench.proxy.report(id, { status: 'FAILURE', progress: '100%', failReason: 'no' });
      await bench.poll();
      await bench.poll();
      expect(await bench.balance()).toEqual(before);
    },
  );

  it('an upload is finished at once and found by an id of ours', async () => {
    const bench = await startDrawingBench();
    const result = ['https://images.example/1.png', 'https://images.example/2.png'];
    bench.proxy.script({ code: 1, result });
    const reply = await bench.post('/mj/submit/upload-discord-images', {
      base64Array: [image, image],
    });
    expect(reply.body).toMatchObject({ code: 1, result });
    const [row] = await bench.rows();
    expect(row).toMatchObject({
      action: 'UPLOAD',
      status: 'SUCCESS',
      progress: '100%',
      imageUrl: result[0],
      quota: price / 2,
      mjId: expect.stringMatching(/^upload-\w{24}$/),
      finishTime: bench.clock.now(),
    });
    expect(await bench.balance()).toEqual(charged(price / 2));
  });

  it.each([[[]], [''], [['']]])(
    'an upload without the address of an image (%j) is free',
    async (result) => {
      const bench = await startDrawingBench();
      const before = await bench.balance();
      bench.proxy.script({ code: 1, result });
      const reply = await bench.post('/mj/submit/upload-discord-images', { base64Array: [image] });
      expect(reply.body).toMatchObject({ code: 5 });
      expect((await bench.rows())[0]).toMatchObject({ status: 'FAILURE', quota: 0 });
      expect(await bench.balance()).toEqual(before);
    },
  );
});

describe('trouble with a proxy', () => {
  it('its refusals name neither its address nor its key', async () => {
    const bench = await startDrawingBench();
    const description = `proxy-secret failed at ${bench.proxy.url}/mj`;
    bench.proxy.script({ code: 9, description, properties: { at: bench.proxy.url } });
    const reply = await bench.post('/mj/submit/imagine', { prompt: 'cat' });
    expect(reply.text).not.toMatch(/proxy-secret|127\.0\.0\.1/);
    expect(reply.body).toMatchObject({
      code: 9,
      description: expect.stringMatching(/^\*\*\* failed at \*\*\*/),
    });
    const [row] = await bench.rows();
    expect([row?.failReason, row?.description]).toEqual([
      reply.body.description,
      reply.body.description,
    ]);
  });

  it.each([
    ['an error of a server', { status: 500, text: '{"error":"down"}' }, 500],
    ['a reply that is no JSON', { status: 200, text: '<html>ok</html>' }, 502],
    ['a reply without a code', { status: 200, text: '{}' }, 502],
    ['an order without an id', { code: 1, result: '' }, 502],
    ['a connection that is cut after the order was taken', { cut: true }, 502],
  ])('%s: one channel is asked, nothing is charged', async (_name, scripted, status) => {
    const bench = await startDrawingBench();
    await bench.addChannel();
    bench.proxy.script(scripted);
    const reply = await bench.post('/mj/submit/imagine', { prompt: 'cat' });
    expect([reply.status, reply.body]).toEqual([
      status,
      { description: expect.any(String), type: 'upstream_error', code: expect.any(Number) },
    ]);
    expect(bench.proxy.submits()).toHaveLength(1);
    expect(await bench.rows()).toMatchObject([{ status: 'FAILURE', progress: '100%', quota: 0 }]);
    expect(await bench.balance()).toEqual(untouched);
  });

  it('a client that leaves does not stop an order that was sent: it is kept and charged', async () => {
    const bench = await startDrawingBench();
    let reply = () => {};
    bench.proxy.script({ until: new Promise<void>((resolve) => (reply = resolve)) });
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${bench.customer.key}` };
    const request = { method: 'POST', headers, body: '{"prompt":"cat"}', signal: leaving.signal };
    const left = fetch(`${bench.url}/mj/submit/imagine`, request).catch(() => 'left');
    await vi.waitFor(() => expect(bench.proxy.submits()).toHaveLength(1));
    leaving.abort();
    expect(await left).toBe('left');
    reply();
    await vi.waitFor(async () =>
      expect(await bench.rows()).toMatchObject([{ status: 'SUBMITTED', mjId: bench.proxy.ids[0] }]),
    );
    expect(await bench.balance()).toEqual(charged(price));
  });

  it('a channel without accounts is switched off when that is confirmed; other code 3 leaves it alone', async () => {
    const bench = await startDrawingBench();
    await bench.set('AutomaticDisableChannelEnabled', true);
    const statusAfter = async (description: string) => {
      for (let times = 0; times < 3; times += 1) {
        bench.proxy.script({ code: 3, description });
        await bench.post('/mj/submit/imagine', { prompt: 'cat' });
      }
      return (await bench.operator.channel.get({ id: bench.channelId })).status;
    };
    expect(await statusAfter('关联任务不存在或已失效')).toBe(1);
    await expect.poll(() => statusAfter('无可用的账号实例')).toBe(3);
  });
});
