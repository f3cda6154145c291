/**
 * Which price counts where it changes while a request is under way
 * (docs/rules/pricing.md#price-moment).
 */
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { decimal } from '../../../../src/core/kernel/decimal.ts';
import { parseObject } from '../../../../src/core/kernel/json.ts';
import { explainLog } from '../../../../src/core/pricing/explain.ts';
import { startRelay, upstream } from '../select/relay-support.ts';

const tables = (ratio: number, group: number, special: number) => ({
  ModelRatio: `{"m":${ratio}}`,
  ModelPrice: '{}',
  CompletionRatio: '{"m":1}',
  GroupRatio: JSON.stringify({ default: group, vip: 1 }),
  GroupGroupRatio: JSON.stringify({ default: { default: special } }),
});

test.each([
  [
    'prices and ratios',
    { ...tables(50, 60, 70), ModelPriceDetails: '{"m":{"factors":{"fast":9}}}' },
  ],
  ['a price per call', { ModelPrice: '{"m":3}' }],
  ['the unit', { QuotaPerUnit: '1000' }],
  ['the group, which is no more', { GroupRatio: '{"vip":1}', GroupGroupRatio: '{}' }],
])(
  'a stream is charged at the price that it began at, whatever changes: %s',
  async (_, changes) => {
    const relay = await startRelay(tables(2, 3, 0.5));
    const { operator } = relay;
    const vendor = await upstream();
    await relay.addChannel(vendor, { models: 'm' });
    const began = Promise.withResolvers<ServerResponse>();
    const head = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' };
    const write = (response: ServerResponse, chunk: object) =>
      response.write(`data: ${JSON.stringify({ ...head, ...chunk })}\n\n`);
    vendor.answer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      write(response, { choices: [{ index: 0, delta: { content: 'ok' } }] });
      began.resolve(response);
    });
    const reply = relay.chat({ model: 'm', stream: true });
    const response = await began.promise;
    for (const [key, value] of Object.entries(changes)) await operator.option.set({ key, value });
    write(response, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
    write(response, {
      choices: [],
      usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
    });
    response.end('data: [DONE]\n\n');
    expect((await reply).status).toBe(200);

    const [row] = (await operator.log.list({ type: 2 })).items;
    if (row === undefined) throw new Error('the request is logged');
    // 120 × 2 × 0.5
    expect(row.quota).toBe(120);
    const other = parseObject(row.other) ?? {};
    expect(other).toMatchObject({ model_ratio: 2, group_ratio: 0.5, user_group_ratio: 0.5 });
    const unit = decimal(Number('QuotaPerUnit' in changes ? changes.QuotaPerUnit : 500_000));
    expect(explainLog({ ...row, other }, unit)).toMatchObject({ quota: 120, exact: true });
    expect(await operator.ledger.verify()).toMatchObject({ ok: true, drifts: [] });
  },
);
