/**
 * A gateway that stops while it streams: streams that exceed the drain time are cut, and delivered
 * output is charged.
 */
import { expect, test } from 'vitest';
import { readLogOther } from '../../../../src/core/contract/log-other.ts';
import { chatStream } from '../../../support/upstream.ts';
import { startRelay, upstream } from '../select/relay-support.ts';

test('streams that do not end in time are cut off and settled before the books are closed', async () => {
  const relay = await startRelay();
  const up = await upstream();
  await relay.addChannel(up, { models: 'gpt-4o,claude-3-5-haiku-20241022' });
  up.answer(chatStream(['some words ', 'and more '], null, { end: 'hang' }));
  const { key } = await relay.operator.userTokens.create({
    name: 'streams',
    unlimited_quota: true,
    user: 'customer',
  });
  const messages = [{ role: 'user', content: 'Hello' }];
  const open = async (path: string, model: string) => {
    const reply = await fetch(relay.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages, stream: true, max_tokens: 100 }),
    });
    const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ''; !text.includes('more'); ) text += (await reader?.read())?.value ?? '';
    return reader;
  };
  const readers = await Promise.all([
    open('/v1/chat/completions', 'gpt-4o'),
    open('/v1/messages', 'gpt-4o'),
    open('/v1/chat/completions', 'claude-3-5-haiku-20241022'),
  ]);
  await relay.app.relay.gateway.drain(50);
  expect(relay.app.relay.gateway.active).toBe(0);
  const { items } = await relay.operator.log.list({ type: 2 });
  expect(items).toHaveLength(3);
  for (const { quota, completion_tokens: tokens } of items) {
    expect(tokens).toBeGreaterThan(2);
    expect(quota).toBeGreaterThan(0);
  }
  for (const reader of readers) {
    expect((await reader?.read())?.value).toContain('"error"');
    expect(await reader?.read()).toMatchObject({ done: true });
  }
  for (const { other } of items) expect(readLogOther(other).ended).toBe('gateway_stopped');
});
