// Covers src/core/providers/suno.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SunoUpstream, startSunoUpstream } from '../../../support/suno-upstream.ts';
import { type Customer, createTaskBench, type TaskBench } from '../../../support/task-bench.ts';

/** 0.1 and 0.01 units. */
const musicPrice = 50_000;
const lyricsPrice = 5000;

let bench: TaskBench;
let upstream: SunoUpstream;
let channel: number;
let customer: Customer;

beforeEach(async () => {
  [bench, upstream] = await Promise.all([createTaskBench(), startSunoUpstream()]);
  channel = await bench.addChannel(upstream.url);
  customer = await bench.addCustomer(1_000_000, { unlimited_quota: false, remain_quota: 500_000 });
});
afterEach(async () => {
  expect(await bench.app.ledger.verify()).toMatchObject({ ok: true });
  await bench.close();
  await upstream.close();
});

const submit = (body: object = { prompt: 'a song' }, action = 'music', by = customer) =>
  bench.call(by, 'POST', `/suno/submit/${action}`, body);
const read = async (id: unknown, by = customer) =>
  (await bench.call(by, 'GET', `/suno/fetch/${id}`)).body['data'];
const row = async (id: unknown) => bench.app.storage.tasks.findByTaskId(String(id));

/** All figures that a charge changes. */
async function figures() {
  const { storage, ledger } = bench.app;
  const [user, token, paid] = await Promise.all([
    storage.users.find(customer.userId),
    storage.tokens.find(customer.tokenId),
    storage.channels.find(channel),
  ]);
  const sums = await storage.quotaData.list({
    userId: customer.userId,
    from: 0,
    to: 2_000_000_000,
  });
  return {
    quota: (await ledger.balance(customer.userId)).quota,
    held: (await ledger.balance(customer.userId)).held,
    used: user?.usedQuota,
    requests: user?.requestCount,
    remain: token?.remainQuota,
    tokenUsed: token?.usedQuota,
    channel: paid?.usedQuota,
    hourly: sums.reduce((sum, { quota }) => sum + quota, 0),
  };
}

const untouched = {
  quota: 1_000_000,
  held: 0,
  used: 0,
  remain: 500_000,
  tokenUsed: 0,
  channel: 0,
  hourly: 0,
};
const charged = (amount: number) => ({
  quota: 1_000_000 - amount,
  held: 0,
  used: amount,
  remain: 500_000 - amount,
  tokenUsed: amount,
  channel: amount,
  hourly: amount,
});

describe('a song', () => {
  it('is submitted with a charge, polled, and read with its result', async () => {
    const { status, body } = await submit({ prompt: 'a song', unknown_field: 7 });
    expect(status).toBe(200);
    expect(body).toMatchObject({ code: 'success', message: '', extra: 'kept' });
    expect(body['data']).toMatch(/^task_[A-Za-z0-9]{32}$/);
    const [song] = upstream.songs.values();
    expect(song).toMatchObject({
      action: 'MUSIC',
      key: 'upstream-key',
      body: { prompt: 'a song', unknown_field: 7, mv: 'chirp-v3-0' },
    });
    expect(await figures()).toMatchObject({ ...charged(musicPrice), requests: 1 });
    expect(await row(body['data'])).toMatchObject({
      action: 'MUSIC',
      platform: 'suno',
      status: 'SUBMITTED',
      quota: musicPrice,
      channelId: channel,
      userId: customer.userId,
    });
    const [log] = (await bench.operator.log.list({ type: 2 })).items;
    expect(log).toMatchObject({ model_name: 'suno_music', quota: musicPrice, prompt_tokens: 0 });
    expect(JSON.parse(log?.other ?? '')).toMatchObject({ model_price: 0.1, task_id: body['data'] });

    await bench.poll();
    expect(await read(body['data'])).toMatchObject({
      task_id: body['data'],
      action: 'MUSIC',
      status: 'SUCCESS',
      progress: '100%',
      fail_reason: '',
      data: [{ title: 'Song' }],
    });
    expect(await figures()).toMatchObject(charged(musicPrice));
    await bench.poll();
    expect(upstream.requests.filter(({ path }) => path === '/suno/fetch')).toHaveLength(1);
  });

  it('that fails is refunded once, with all that the charge changed', async () => {
    upstream.onSong(() => ({ fate: 'failure', polls: 2 }));
    upstream.repeats = 2;
    const { body } = await submit({ prompt: 'words' }, 'lyrics');
    expect(await figures()).toMatchObject(charged(lyricsPrice));
    await bench.poll();
    expect(await row(body['data'])).toMatchObject({
      status: 'IN_PROGRESS',
      progress: '45%',
      quota: lyricsPrice,
    });
    await Promise.all([bench.poll(), bench.poll()]);
    expect(await figures()).toMatchObject({ ...untouched, requests: 1 });
    expect(await read(body['data'])).toMatchObject({
      status: 'FAILURE',
      progress: '100%',
      fail_reason: 'copyrighted lyrics',
    });
    expect(await row(body['data'])).toMatchObject({ quota: 0 });
    const refunds = (await bench.operator.log.list({ type: 4 })).items.filter(
      ({ quota }) => quota > 0,
    );
    expect(refunds).toMatchObject([{ quota: lyricsPrice, user_id: customer.userId }]);
    expect(JSON.parse(refunds[0]?.other ?? '')).toMatchObject({
      task_id: body['data'],
      reason: 'copyrighted lyrics',
    });
  });

  it('is found with a batch of ids, and never by anybody else', async () => {
    const other = await bench.addCustomer(1_000_000);
    const first = (await submit()).body['data'];
    const second = (await submit({ prompt: 'words' }, 'lyrics')).body['data'];
    const foreign = (await submit({}, 'music', other)).body['data'];
    const many = async (body: object) =>
      (
        (await bench.call(customer, 'POST', '/suno/fetch', body)).body['data'] as {
          task_id: string;
        }[]
      ).map((task) => task.task_id);
    expect(await many({ ids: [first, second, foreign, 'nothing'] })).toEqual([second, first]);
    expect(await many({ ids: [first, second], action: 'music' })).toEqual([first]);
    expect(await many({ ids: [] })).toEqual([]);
    expect(await bench.call(customer, 'GET', `/suno/fetch/${foreign}`)).toMatchObject({
      status: 400,
      body: { code: 'task_not_exist', data: null },
    });
  });

  it('that continues another one goes to its channel with the upstream’s id', async () => {
    const first = (await submit()).body['data'];
    const second = await startSunoUpstream('other');
    try {
      const better = await bench.addChannel(second.url, { priority: 10 });
      const more = { continue_clip_id: 'clip-song-1', continue_at: 30, task_id: first };
      expect((await submit(more)).status).toBe(200);
      expect([...upstream.songs.values()][1]?.body).toMatchObject({
        task_id: 'song-1',
        continue_clip_id: 'clip-song-1',
      });
      expect(second.songs.size).toBe(0);
      expect((await submit({ continue_clip_id: 'x' })).body).toMatchObject({
        code: 'invalid_request',
      });
      expect((await submit({ continue_clip_id: 'x', task_id: 'task_gone' })).body).toMatchObject({
        code: 'task_not_exist',
      });
      expect((await submit({ ...more, Task_ID: 'song-of-another' })).body).toMatchObject({
        code: 'invalid_request',
      });
      expect((await submit({ CONTINUE_CLIP_ID: 'clip-of-another' })).body).toMatchObject({
        code: 'invalid_request',
      });
      await bench.operator.channel.update({ id: channel, status: 2 });
      expect(await submit(more)).toMatchObject({
        status: 400,
        body: { code: 'task_channel_disable' },
      });
      expect(better).toBeGreaterThan(0);
    } finally {
      await second.close();
    }
  });
});

describe('a submit that is wrong', () => {
  it.each([
    ['video', { prompt: 'x' }, 'invalid_request', 'invalid_action'],
    ['lyrics', { prompt: ' ' }, 'invalid_request', 'prompt_empty'],
    ['music', { prompt: 'TEST_sensitive words' }, 'sensitive_words_detected', ''],
  ])('%s %j is refused as %s', async (action, body, code, words) => {
    const reply = await submit(body, action);
    expect(reply).toMatchObject({ status: 400, body: { code, data: null } });
    expect(reply.body['message']).toContain(words);
    expect(await figures()).toMatchObject(untouched);
    expect(upstream.requests).toEqual([]);
  });

  it('without the money for it is refused before anything is sent', async () => {
    const poor = await bench.addCustomer(musicPrice - 1);
    expect(await submit({}, 'music', poor)).toMatchObject({
      status: 403,
      body: { code: 'quota_not_enough' },
    });
    const limited = await bench.addCustomer(1_000_000, {
      unlimited_quota: false,
      remain_quota: 10,
    });
    expect(await submit({}, 'music', limited)).toMatchObject({
      status: 403,
      body: { code: 'quota_not_enough' },
    });
    const other = await bench.addCustomer(1_000_000, {
      model_limits_enabled: true,
      model_limits: 'suno_lyrics',
    });
    expect(await submit({}, 'music', other)).toMatchObject({
      status: 403,
      body: { code: 'model_not_allowed' },
    });
    expect((await bench.app.storage.tasks.page({}, { offset: 0, limit: 10 })).total).toBe(0);
    expect(upstream.requests).toEqual([]);
  });

  it('while tasks are switched off is refused, and tasks under way still end', async () => {
    const { body } = await submit();
    await bench.operator.option.set({ key: 'TaskEnabled', value: false });
    expect(await submit()).toMatchObject({ status: 403, body: { code: 'tasks_disabled' } });
    await bench.poll();
    expect(await read(body['data'])).toMatchObject({ status: 'SUCCESS' });
  });

  it('on another path is an unknown URL in Suno’s shape', async () => {
    expect(await bench.call(customer, 'POST', '/suno/other', {})).toMatchObject({
      status: 404,
      body: { data: null },
    });
    expect(await bench.call(undefined, 'POST', '/suno/submit/music', {})).toMatchObject({
      status: 401,
    });
  });
});

describe('a submit that the upstream', () => {
  const lastTask = async () =>
    (await bench.app.storage.tasks.page({}, { offset: 0, limit: 10 })).items[0];

  it.each(['refuse', 'html', 'unreadable', 'cut'] as const)(
    '%s is not sent to another channel, and costs nothing',
    async (how) => {
      const second = await startSunoUpstream('other');
      await bench.addChannel(second.url, { priority: -1 });
      await bench.operator.option.set({ key: 'RetryTimes', value: 3 });
      upstream.onSubmit(() => how);
      const reply = await submit();
      expect(reply.status).toBeGreaterThanOrEqual(500);
      expect(reply.body['data']).toBeNull();
      if (how === 'refuse') expect(reply.body).toMatchObject({ code: 'not_enough_credits' });
      expect(second.songs.size).toBe(0);
      expect(await figures()).toMatchObject({ ...untouched, requests: 0 });
      expect(await lastTask()).toMatchObject({ status: 'FAILURE', progress: '100%', quota: 0 });
      await second.close();
    },
  );

  it.each(['busy', 'broken', 'denied'] as const)(
    'answers %s to is sent to the next channel',
    async (how) => {
      const second = await startSunoUpstream('other');
      const next = await bench.addChannel(second.url, { priority: -1 });
      await bench.operator.option.set({ key: 'RetryTimes', value: 3 });
      upstream.onSubmit(() => how);
      expect((await submit()).status).toBe(200);
      expect(second.songs.size).toBe(1);
      expect(await lastTask()).toMatchObject({
        status: 'SUBMITTED',
        channelId: next,
        quota: musicPrice,
      });
      const [log] = (await bench.operator.log.list({ type: 2 })).items;
      expect(JSON.parse(log?.other ?? '').admin_info.use_channel).toEqual([
        String(channel),
        String(next),
      ]);
      await second.close();
    },
  );

  it('cannot be connected to is sent to the next channel', async () => {
    const gone = await startSunoUpstream();
    await gone.close();
    await bench.addChannel(gone.url, { priority: 5 });
    await bench.operator.option.set({ key: 'RetryTimes', value: 3 });
    expect((await submit()).status).toBe(200);
    expect(await lastTask()).toMatchObject({ channelId: channel });
  });

  it('is slow to answer is charged although its client left', async () => {
    let answer = () => {};
    const slow = new Promise<void>((resolve) => {
      answer = resolve;
    });
    upstream.onSubmit(() => 'ok');
    upstream.before = () => slow;
    const leaving = new AbortController();
    const request = fetch(`${bench.url}/suno/submit/music`, {
      method: 'POST',
      headers: { authorization: `Bearer ${customer.key}` },
      body: '{}',
      signal: leaving.signal,
    }).catch(() => undefined);
    await expect.poll(() => upstream.requests.length).toBe(1);
    leaving.abort();
    await request;
    answer();
    await expect.poll(async () => (await lastTask())?.status).toBe('SUBMITTED');
    expect(await figures()).toMatchObject(charged(musicPrice));
  });

  it('is too slow to answer costs nothing where its row was ended meanwhile', async () => {
    let answer = () => {};
    upstream.before = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const slow = submit();
    await expect.poll(() => upstream.requests.length).toBe(1);
    bench.clock.move(11 * 60_000);
    await bench.poll();
    answer();
    expect(await slow).toMatchObject({ status: 504, body: { data: null } });
    expect(await lastTask()).toMatchObject({ status: 'FAILURE', quota: 0 });
    expect(await figures()).toMatchObject(untouched);
  });

  it('answers while the gateway stops is given time, and is cut off without a charge after it', async () => {
    upstream.onSubmit(() => 'hang');
    const cut = submit();
    await expect.poll(() => upstream.requests.length).toBe(1);
    await bench.app.relay.gateway.drain(50);
    expect((await cut).status).toBeGreaterThanOrEqual(499);
    expect(await lastTask()).toMatchObject({ status: 'FAILURE', quota: 0 });
    expect(await figures()).toMatchObject(untouched);
  });
});

it('its channel cannot be tested, and says so', async () => {
  await expect(bench.operator.channel.test({ id: channel })).rejects.toMatchObject({
    code: 'channel_test_unsupported',
  });
});

describe('the price of a song', () => {
  it('is the model’s own times the group’s, rounded half away from zero; 0.1 where there is none', async () => {
    const price = async (models: object, model = 'music') => {
      await bench.operator.option.set({ key: 'ModelPrice', value: JSON.stringify(models) });
      const before = (await figures()).quota;
      await submit({ prompt: 'x' }, model);
      return before - (await figures()).quota;
    };
    await bench.operator.option.set({ key: 'GroupRatio', value: '{"default":0.5}' });
    expect(await price({ suno_music: 0.000009 })).toBe(2);
    expect(await price({ suno_music: 0.00001 })).toBe(3);
    expect(await price({ suno_music: 0 })).toBe(0);
    expect(await price({ other: 1 })).toBe(25_000);
  });
});
