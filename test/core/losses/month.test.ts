/**
 * A month of a site: its vendor's list changes, a channel loses money, a balance runs dry, an upstream
 * bills more; the gateway restarts every few days, and for a day no notice reaches anybody. Its own
 * jobs find each and tell it once, in time (docs/rules/losses.md#told-once).
 */
import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/core/config/load.ts';
import { createClient } from '../../../src/core/contract/client.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { createLocalTransport } from '../../../src/server/local-client.ts';
import { freshHome, type OpenApp, openApp, testPassword } from '../../support/app.ts';
import { newMigratedFile, testMasterKey } from '../../support/migrated-file.ts';
import { createJumpingClock } from '../../support/moving-clock.ts';
import { collectOwnerNotices, type OwnerNotice } from '../../support/owner-notices.ts';
import { startProvider } from '../../support/provider-server.ts';
import { sendJson, startUpstream } from '../../support/upstream.ts';

const hour = 3_600_000;
/** Jobs look at least as often. */
const step = 12 * hour;
/** Quota of one currency unit. */
const unit = 500_000;
const restarts = [5, 8, 13, 18, 19, 27];
/** No way to reach the operator is set. */
const deafDay = 18;

/** All jobs of a step have run, and what they have to tell has been sent. */
async function settle(app: OpenApp): Promise<void> {
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  await turn();
  while ((await app.jobs.report()).some(({ running }) => running)) await turn();
  await app.notices.root.settled();
}

test('each is told once, in time, over 31 days with restarts', async () => {
  const file = await newMigratedFile();
  const upstream = await startUpstream();
  let listed = 2.5;
  const list = await startProvider((_request, response) => {
    const prices = { input_cost_per_token: listed / 1e6, output_cost_per_token: listed / 2.5e5 };
    const model = { litellm_provider: 'openai', mode: 'chat', ...prices };
    sendJson(response, 200, { 'gpt-4o': model });
  }, 'test');
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

  const clock = createJumpingClock(Date.UTC(2026, 10, 20));
  const { config } = loadConfig({
    environment: {
      SETUP_TOKEN: 'TESTAB',
      DURABILITY: 'normal',
      CHANNEL_UPDATE_FREQUENCY: '600',
      SQLITE_PATH: file.path,
      FETCH_ALLOW_HOSTS: '127.0.0.1',
    },
    cwd: '/nonexistent',
    home: freshHome(),
  });
  const start = async () => {
    const app = await openApp({
      config,
      clock,
      logger: silentLogger,
      version: 'test',
      threads: false,
      folder: { cryptoSecret: new Secret(testMasterKey.toString()) },
      databaseUrl: `sqlite:${file.path}`,
    });
    return { app, operator: createClient(createLocalTransport(app, undefined, 'en')) };
  };
  let site = await start();
  const password = { password: testPassword, confirmPassword: testPassword };
  await site.operator.system.setup({ username: 'root', ...password, SiteLanguage: 'en' });
  const notices: OwnerNotice[] = await collectOwnerNotices(site.operator);
  const pusher = site.app.site.options.get('MessagePusherAddress');
  await site.operator.option.set({ key: 'losses.balance_days', value: 4 });
  const { ids } = await site.operator.channel.create({
    name: 'main',
    type: 8,
    key: 'k',
    models: 'gpt-4o',
    cost: '{"ratio":1}',
    base_url: upstream.url,
  });
  const id = ids[0] ?? 0;
  const source = { source: `${list}/list.json` };
  // Differences are told, and nothing is saved by itself.
  await site.operator.option.set({
    key: 'price_sync.followed',
    value: JSON.stringify({ 'gpt-4o': { ...source, margin: 1, save: false } }),
  });
  site.app.jobs.start();

  const told: [number, string][] = [];
  for (let date = 1; date <= 31; date += 1) {
    if (restarts.includes(date)) {
      await site.app.close();
      site = await start();
      site.app.jobs.start();
    }
    const { app, operator } = site;
    // Three times as dear from the 8th on; the operator follows on the 12th.
    if (date === 8) listed = 7.5;
    if (date === 12) {
      const { models } = await operator.priceSync.preview(source);
      await operator.priceSync.apply({ ...source, models });
    }
    const address = date === deafDay ? '' : pusher;
    if (app.site.options.get('MessagePusherAddress') !== address)
      await operator.option.set({ key: 'MessagePusherAddress', value: address });
    if (date === 20) balance += 80;
    const cost = date < 8 ? 1 : 3;
    const earned = date < 12 ? 2 : 6;
    for (let part = 0; part < 2; part += 1) {
      balance -= (date >= 24 ? cost + 2 : cost) / 2;
      await app.storage.quotaData.add([
        {
          userId: 1,
          username: 'root',
          channelId: id,
          modelName: 'gpt-4o',
          tokens: 1,
          hour: Math.floor(clock.now() / hour) * 3600,
          quota: (earned / 2) * unit,
          cost: (cost / 2) * unit * 1000,
        },
      ]);
      clock.jump(step);
      await settle(app);
      for (const title of notices
        .splice(0)
        .map(({ title }) => title)
        .sort())
        told.push([date, title]);
    }
  }
  expect(site.app.site.options.get('ModelRatio')['gpt-4o']).toBe(3.75);
  await site.app.close();
  await upstream.close();
  file.remove();
  expect(told).toEqual([
    [8, 'Models are sold below their cost'],
    [8, 'Prices differ from their sources'],
    // Found the day before.
    [19, 'Balances at upstreams are running out'],
    [26, 'Upstreams bill more than was booked'],
  ]);
});
