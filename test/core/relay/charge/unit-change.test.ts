/** Rows explain their charge, in units of now, after QuotaPerUnit was changed. */
// Covers src/core/pricing/per-call.ts
import { expect, test } from 'vitest';
import { decimal, toNumber } from '../../../../src/core/kernel/decimal.ts';
import { parseObject } from '../../../../src/core/kernel/json.ts';
import { explainLog } from '../../../../src/core/pricing/explain.ts';
import { sendJson } from '../../../support/upstream.ts';
import { startRelay, upstream } from '../select/relay-support.ts';

test('calls, images and searches explain their charge after QuotaPerUnit was changed', async () => {
  const relay = await startRelay({
    ModelPrice: '{"by-call":0.02,"dall-e-3":0.04}',
    ModelRatio: '{"claude-search":1}',
    CompletionRatio: '{"claude-search":1}',
    ModelPriceDetails: '{"claude-search":{"tools":{"web_search":0.01}}}',
  });
  const { operator } = relay;
  const vendor = await upstream();
  await relay.addChannel(vendor, { type: 1, models: 'by-call,dall-e-3' });
  await relay.addChannel(vendor, { type: 14, models: 'claude-search' });
  vendor.answer((response, { path }) => {
    if (path.includes('images'))
      return sendJson(response, 200, { created: 1, data: [{ url: 'u' }, { url: 'v' }] });
    if (path.includes('messages'))
      return sendJson(response, 200, {
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'claude-search',
        content: [{ type: 'text', text: 'ok' }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 7, output_tokens: 3, server_tool_use: { web_search_requests: 2 } },
      });
    return sendJson(response, 200, {
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'by-call',
      choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    });
  });
  const messages = [{ role: 'user', content: 'Hello' }];
  for (const reply of [
    await relay.post('/v1/chat/completions', { model: 'by-call', messages }),
    await relay.post('/v1/images/generations', { model: 'dall-e-3', prompt: 'a', n: 2 }),
    await relay.post('/v1/messages', { model: 'claude-search', max_tokens: 10, messages }),
  ])
    expect(reply.status, reply.text).toBe(200);

  const charged = async (unit: number) =>
    Object.fromEntries(
      (await operator.log.list({ type: 2 })).items.map((row) => {
        const ticket = explainLog({ ...row, other: parseObject(row.other) ?? {} }, decimal(unit));
        const amounts = ticket?.lines.map(({ amount }) => toNumber(amount)) ?? [];
        return [row.model_name, [row.quota, ticket?.exact, Math.max(...amounts)]];
      }),
    );
  expect(await charged(500_000)).toEqual({
    'by-call': [10_000, true, 0.02],
    'dall-e-3': [40_000, true, 0.08],
    'claude-search': [10_010, true, 0.02],
  });
  await operator.option.set({ key: 'QuotaPerUnit', value: '1000000' });
  expect(await charged(1_000_000)).toEqual({
    'by-call': [10_000, true, 0.01],
    'dall-e-3': [40_000, true, 0.04],
    'claude-search': [10_010, true, 0.01],
  });
});
