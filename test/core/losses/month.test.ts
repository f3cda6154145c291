/**
 * A month of a site: its vendor's list changes, a channel loses money, a balance runs dry, an upstream
 * bills more; the gateway restarts every few days. Each is told once, in time
 * (docs/rules/losses.md#told-once).
 */
import { expect, test } from 'vitest';
import { createLastingApp } from '../../support/app.ts';
import { newMigratedFile } from '../../support/migrated-file.ts';
import { collectOwnerNotices, type OwnerNotice } from '../../support/owner-notices.ts';
import { startProvider } from '../../support/provider-server.ts';
import { sendJson, startUpstream } from '../../support/upstream.ts';

const day = 86_400_000;
/** Quota of one currency unit. */
const unit = 500_000;
const restarts = [5, 8, 13, 18, 19, 27];

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

  const open = async (passed: number) => {
    const site = await createLastingApp({ SQLITE_PATH: file.path }, passed === 0);
    site.clock.move(passed);
    const notices = await collectOwnerNotices(site.operator);
    return { ...site, notices };
  };
  let site = await open(0);
  for (const [key, value] of Object.entries({ SiteLanguage: 'en', 'losses.balance_days': 4 }))
    await site.operator.option.set({ key, value });
  const { ids } = await site.operator.channel.create({
    ...{ name: 'main', type: 8, key: 'k', models: 'gpt-4o', cost: '{"ratio":1}' },
    base_url: upstream.url,
  });
  const id = ids[0] ?? 0;
  const source = { source: `${list}/list.json` };
  // Differences are told, and nothing is saved by itself.
  const followed = { 'gpt-4o': { ...source, margin: 1, save: false } };
  await site.operator.option.set({
    key: 'price_sync.followed',
    value: JSON.stringify(followed),
  });

  const told: [number, string][] = [];
  const note = (date: number, notices: OwnerNotice[]) => {
    for (const { title } of notices.splice(0)) told.push([date, title]);
  };
  for (let date = 1; date <= 31; date += 1) {
    if (restarts.includes(date)) {
      await site.app.close();
      site = await open((date - 1) * day);
    }
    const { app, operator, clock, root, notices } = site;
    // Three times as dear from the 8th on; the operator follows on the 12th.
    if (date === 8) listed = 7.5;
    if (date === 12) {
      const { models } = await operator.priceSync.preview(source);
      await operator.priceSync.apply({ ...source, models });
    }
    const cost = date < 8 ? 1 : 3;
    const earned = date < 12 ? 2 : 6;
    balance -= date >= 24 ? cost + 2 : cost;
    if (date === 20) balance += 80;
    const now = clock.now() / 1000;
    await app.storage.quotaData.add([
      {
        ...{ userId: 1, username: 'root', channelId: id, modelName: 'gpt-4o', tokens: 1 },
        ...{ hour: now - (now % 3600), quota: earned * unit, cost: cost * unit * 1000 },
      },
    ]);
    await operator.channel.updateBalance({ id });
    await app.priceSync.look(root);
    // The job of losses looks many times a day.
    await app.losses.watch();
    await app.losses.watch();
    await app.notices.root.settled();
    note(date, notices);
    clock.move(day);
  }
  expect(site.app.site.options.get('ModelRatio')['gpt-4o']).toBe(3.75);
  await site.app.close();
  await upstream.close();
  file.remove();
  expect(told).toEqual([
    [8, 'Prices differ from their sources'],
    [8, 'Models are sold below their cost'],
    [18, 'Balances at upstreams are running out'],
    [26, 'Upstreams bill more than was booked'],
  ]);
});
