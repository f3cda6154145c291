import { describe, expect, test } from 'vitest';
import { channelColumns } from '../../../src/cli/show/channel-columns.ts';
import { daysLeft, isBilledMore, lastFall } from '../../../src/core/losses/balances.ts';
import { createTestApp } from '../../support/app.ts';
import { collectOwnerNotices } from '../../support/owner-notices.ts';
import { sendJson, startUpstream } from '../../support/upstream.ts';

const day = 86_400;
/** Quota of one currency unit. */
const unit = 500_000;

async function openSite(options: Record<string, string | number> = {}) {
  const { app, operator, clock, as, addUser } = await createTestApp();
  const values = Object.entries({ SiteLanguage: 'en', ...options });
  for (const [key, value] of values) await operator.option.set({ key, value });
  const notices = await collectOwnerNotices(operator);
  const add = async (fields: object = {}) =>
    (
      await operator.channel.create({
        name: 'main',
        type: 8,
        key: 'k',
        models: 'gpt-4o,gpt-4o-mini',
        base_url: 'http://127.0.0.1:9',
        cost: '{"ratio":1}',
        ...fields,
      })
    ).ids[0] ?? 0;
  /** What a channel earned and cost in the last hour, in currency units. */
  const serve = async (channelId: number, earned: number, cost?: number, modelName = 'gpt-4o') => {
    const now = clock.now() / 1000;
    await app.storage.quotaData.add([
      {
        userId: 1,
        username: 'root',
        channelId,
        modelName,
        tokens: 1,
        hour: now - (now % 3600),
        quota: Math.round(earned * unit),
        ...(cost !== undefined && { cost: Math.round(cost * unit * 1000) }),
      },
    ]);
  };
  const look = async () => {
    await app.losses.watch();
    await app.notices.root.settled();
    return notices.splice(0).map(({ title, description }) => `${title}: ${description}`);
  };
  const kinds = async () => (await operator.losses.list({})).map(({ kind }) => kind);
  return { app, operator, clock, as, addUser, add, serve, look, kinds };
}

test('a model below its cost is told once, until it is over and comes back', async () => {
  const { operator, clock, add, serve, look, kinds } = await openSite();
  const id = await add();
  await serve(id, 2, 1);
  expect(await look()).toEqual([]);
  await serve(id, 1, 3);
  expect(await look()).toEqual([
    `Models are sold below their cost: gpt-4o at channel #${id} main: earned $3.000000 in 24 hours, and cost $4.000000`,
  ]);
  expect(await look()).toEqual([]);
  expect(await operator.losses.list({})).toMatchObject([
    { kind: 'below_cost', channel: id, name: 'main', model: 'gpt-4o' },
  ]);
  // A day without requests says nothing.
  clock.move(2 * day * 1000);
  expect(await look()).toEqual([]);
  expect(await kinds()).toEqual(['below_cost']);
  await serve(id, 2, 1);
  expect([await look(), await kinds()]).toEqual([[], []]);
  await serve(id, 0, 3);
  expect(await look()).toHaveLength(1);
  // After a week without requests it is over.
  clock.move(8 * day * 1000);
  expect([await look(), await kinds()]).toEqual([[], []]);
});

test('a notice that reached nobody is sent by the next look, with what is new, and once', async () => {
  const { app, operator, clock, add, serve, look } = await openSite();
  const id = await add();
  const pusher = app.site.options.get('MessagePusherAddress');
  await operator.option.set({ key: 'MessagePusherAddress', value: '' });
  await serve(id, 1, 3);
  expect([await look(), await look()]).toEqual([[], []]);
  expect(await operator.losses.list({})).toHaveLength(1);
  // The figures in it are those of the time, and what is over is not told.
  await serve(id, 0, 3);
  await operator.option.set({ key: 'MessagePusherAddress', value: pusher });
  clock.move(900_000);
  expect(await look()).toEqual([
    `Models are sold below their cost: gpt-4o at channel #${id} main: earned $1.000000 in 24 hours, and cost $6.000000`,
  ]);
  expect([await look(), await look()]).toEqual([[], []]);
  // Two looks at once tell it once, too.
  await serve(id, 0, 3, 'gpt-4o-mini');
  await Promise.all([app.losses.watch(), app.losses.watch()]);
  expect(await look()).toEqual([expect.stringContaining('gpt-4o-mini')]);
});

test('less than a cent, and what disabled channels lost, is not told', async () => {
  const { operator, add, serve, look } = await openSite();
  const id = await add();
  await serve(id, 1, 1.009);
  expect(await look()).toEqual([]);
  await serve(id, 0, 5);
  await operator.channel.update({ id, status: 2 });
  expect(await look()).toEqual([]);
});

test('unknown cost is told where the site names costs at all', async () => {
  const { add, serve, look } = await openSite();
  const id = await add({ cost: '' });
  await serve(id, 1);
  expect(await look()).toEqual([]);
  await add({ name: 'other' });
  await serve(id, 1, undefined, 'gpt-4o-mini');
  expect(await look()).toEqual([
    `The cost of requests is not known: Channel #${id} main: the cost of 2 requests of the last 24 hours is not known (gpt-4o, gpt-4o-mini)`,
  ]);
  expect(await look()).toEqual([]);
});

describe('what earns too little', () => {
  test('stays unless the site says so; then the channel is disabled for good', async () => {
    const { operator, add, serve, look } = await openSite();
    const id = await add();
    await serve(id, 10, 9.5);
    await look();
    expect(await operator.channel.get({ id })).toMatchObject({ status: 1 });
    await operator.option.set({ key: 'losses.stop_margin', value: 10 });
    await operator.option.set({ key: 'losses.stop', value: 'channel' });
    expect(await look()).toEqual([
      expect.stringContaining('Reason: its margin of the last 24 hours is 5.0 %'),
    ]);
    expect(await operator.channel.get({ id })).toMatchObject({ status: 2 });
  });

  test('or the model is taken off it, and the channel with its last one', async () => {
    const { operator, add, serve, look } = await openSite({ 'losses.stop': 'model' });
    const id = await add();
    await serve(id, 1, 3);
    await serve(id, 9, 1, 'gpt-4o-mini');
    expect(await look()).toContainEqual(
      expect.stringContaining(`Model gpt-4o was taken off channel “main” (#${id})`),
    );
    expect(await operator.channel.get({ id })).toMatchObject({ status: 1, models: 'gpt-4o-mini' });
    await serve(id, 0, 20, 'gpt-4o-mini');
    await look();
    expect(await operator.channel.get({ id })).toMatchObject({ status: 2, models: 'gpt-4o-mini' });
  });
});

test('a month: a vendor gets dearer, a channel loses money, a balance runs dry, an upstream bills more', async () => {
  const upstream = await startUpstream();
  let balance = 50;
  upstream.answer((response, { path }) =>
    sendJson(
      response,
      200,
      path.includes('subscription')
        ? { hard_limit_usd: balance, has_payment_method: true }
        : { total_usage: 0 },
    ),
  );
  const { operator, clock, add, serve, look } = await openSite({ 'losses.balance_days': 4 });
  const id = await add({ base_url: upstream.url });
  const told: [number, string][] = [];
  for (let date = 1; date <= 30; date += 1) {
    // The vendor's price is three times as high from the 8th on; the operator follows on the 12th.
    const cost = date < 8 ? 1 : 3;
    const earned = date < 12 ? 2 : 6;
    balance -= cost;
    if (date === 20) balance += 80;
    // From the 24th on the upstream takes more than it should.
    if (date >= 24) balance -= 2;
    await serve(id, earned, cost);
    await operator.channel.updateBalance({ id });
    for (const text of await look()) told.push([date, text.replace(/:.*/s, '')]);
    clock.move(day * 1000);
  }
  await upstream.close();
  expect(told).toEqual([
    [8, 'Models are sold below their cost'],
    [18, 'Balances at upstreams are running out'],
    [26, 'Upstreams bill more than was booked'],
  ]);
});

test('the pace of a balance is that since money was last paid in', () => {
  const readings = [10, 8, 6, 30, 27, 24].map((amount, index) => ({
    readAt: index * day,
    amount,
  }));
  const fall = lastFall(readings);
  expect(fall).toEqual({ from: 3 * day, to: 5 * day, spent: 6 });
  expect(fall && daysLeft(24, fall)).toBe(8);
  expect(lastFall(readings.slice(0, 4))).toBeUndefined();
  expect(daysLeft(5, { from: 0, to: day, spent: 0 })).toBeUndefined();
  expect([isBilledMore(1.09, 1), isBilledMore(1.2, 1), isBilledMore(0.009, 0)]).toEqual([
    false,
    true,
    false,
  ]);
});

describe('a price below its cost', () => {
  test('is found before it is saved, by what channels name or the vendors list', async () => {
    const { operator, add } = await openSite();
    const stated = await add({ cost: '{"rate":7,"models":{"gpt-4o":{"input":14,"output":70}}}' });
    const listed = await add({ name: 'list', cost: '{"ratio":0.5,"base":"list"}' });
    await add({ name: 'unknown', cost: '' });
    // The default prices are 2.5 and 10; the stated costs 2 and 10, the listed ones half of it.
    expect(await operator.losses.belowCost({})).toEqual([]);
    const ratios = { 'gpt-4o': 0.9, 'gpt-4o-mini': 1 };
    const found = await operator.losses.belowCost({
      values: [{ key: 'ModelRatio', value: JSON.stringify(ratios) }],
    });
    expect(found).toEqual([
      { model: 'gpt-4o', channel: stated, name: 'main', kind: 'input', price: 1.8, cost: 2 },
      {
        model: 'gpt-4o',
        channel: stated,
        name: 'main',
        kind: 'output',
        price: 7.2,
        cost: 10,
      },
    ]);
    // At no price at all every channel that states its cost is below it: the price form reads it so.
    for (const [own, other, price] of [
      ['ModelRatio', 'ModelPrice', 0],
      ['ModelPrice', 'ModelRatio', 1e-9],
    ] as const) {
      const costs = await operator.losses.belowCost({
        values: [
          { key: own, value: JSON.stringify({ 'gpt-4o': price }) },
          { key: other, value: '{}' },
        ],
      });
      expect(
        costs
          .filter(({ model, channel }) => model === 'gpt-4o' && channel !== listed)
          .map(({ kind, cost }) => [kind, cost]),
      ).toEqual(
        own === 'ModelRatio'
          ? [
              ['input', 2],
              ['output', 10],
            ]
          : [],
      );
    }
    const groups = [{ key: 'GroupRatio', value: '{"default":0.4,"vip":0,"svip":1}' }];
    expect(
      (await operator.losses.belowCost({ values: groups }))
        .filter(({ channel }) => channel === listed)
        .map(({ model, kind }) => `${model} ${kind}`),
    ).toContain('gpt-4o-mini output');
    await expect(
      operator.losses.belowCost({ values: [{ key: 'ModelRatio', value: 'x' }] }),
    ).rejects.toMatchObject({ code: 'option_invalid' });
  });
});

test('channels are marked in their list: what they lose, and models without a price', async () => {
  const { operator, add, serve, look } = await openSite();
  const id = await add({ models: 'gpt-4o,nobody-1,nobody-2' });
  const sound = await add({ name: 'sound' });
  await serve(id, 1, 3);
  await look();
  const marksOf = async (channel: number) =>
    (await operator.channel.list({})).items.find((item) => item.id === channel)?.marks;
  const unpriced = `Channel #${id} main: 2 of 3 models have no price and cannot be called (nobody-1, nobody-2); set it in the settings under prices, or by turnpike prices sync`;
  expect(await marksOf(id)).toEqual([
    { kind: 'below_cost', text: expect.stringContaining('earned $1.000000') },
    { kind: 'unpriced', text: unpriced },
  ]);
  expect(await marksOf(sound)).toBeUndefined();
  expect((await operator.channel.get({ id })).marks).toHaveLength(2);
  expect((await operator.channel.search({ keyword: 'main' })).items[0]?.marks).toHaveLength(2);
  expect((await operator.losses.list({})).map(({ kind }) => kind)).toEqual([
    'below_cost',
    'unpriced',
  ]);
  const text = (entity: Awaited<ReturnType<typeof operator.channel.get>>) =>
    channelColumns
      .filter(({ title }) => 'en' in title && /price/.test(title.en))
      .map(({ value }) => value(entity, { language: 'en' } as never));
  expect(text(await operator.channel.get({ id }))).toEqual([
    'below cost, no price',
    expect.stringMatching(/^gpt-4o at channel .*; Channel #/),
  ]);
  expect(text(await operator.channel.get({ id: sound }))).toEqual(['', '']);
  // A price that is set, and a site that sells without one, have nothing to mark.
  await operator.option.set({
    key: 'ModelPrice',
    value: JSON.stringify({ 'nobody-1': 1, 'nobody-2': 0 }),
  });
  expect(await marksOf(id)).toHaveLength(1);
  await operator.option.set({ key: 'ModelPrice', value: '{}' });
  await operator.option.set({ key: 'SelfUseModeEnabled', value: true });
  expect(await marksOf(id)).toHaveLength(1);
});
