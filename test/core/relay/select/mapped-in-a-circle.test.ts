/**
 * A mapping that no form would take, as an import may bring it
 * (docs/rules/channel-rules.md#model-mapping).
 */
import { expect, test } from 'vitest';
import { startRelay, upstream } from './relay-support.ts';

test('is a final configuration error without an upstream request', async () => {
  const relay = await startRelay({ RetryTimes: 2 });
  const channel = await upstream();
  const id = await relay.addChannel(channel);
  await relay.app.storage.channels.update(id, { modelMapping: '{"gpt-4o":"a","a":"b","b":"a"}' });
  await relay.operator.channel.fix({});
  const { status, headers, json } = await relay.chat();
  expect([status, headers.get('x-should-retry'), json]).toMatchObject([
    403,
    'false',
    { error: { code: 'model_mapped_error' } },
  ]);
  expect((await relay.chat({ model: 'gpt-4o-mini' })).status).toBe(200);
  expect(channel.requests.map(({ json: asked }) => asked['model'])).toEqual(['gpt-4o-mini']);
});
