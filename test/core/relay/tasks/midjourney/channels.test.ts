/** Channels of both types, as administrators see them. */
import { expect, it } from 'vitest';
import { codeOf } from '../../../../support/app.ts';
import { startDrawingBench } from './bench.ts';

it('both types are offered with their models, an address that is required, and the settings of proxies', async () => {
  const { operator } = await startDrawingBench();
  const types = await operator.channelTypes.list();
  const found = types.filter(({ type }) => type === 2 || type === 5);
  expect(found).toHaveLength(2);
  for (const type of found)
    expect(type).toMatchObject({
      available: true,
      default_base_url: null,
      key_example: 'mj-api-secret',
      operations: [],
      settings: [
        { name: 'mj_mode', choices: ['ignore', 'path', 'filter'] },
        { name: 'mj_notify_secret', kind: 'text' },
      ],
    });
  const [original, plus] = found.map(({ models }) => models);
  expect(original).toEqual(expect.arrayContaining(['mj_imagine', 'mj_upload']));
  expect(original).not.toContain('mj_modal');
  expect(plus).toEqual(
    expect.arrayContaining([...(original ?? []), 'swap_face', 'mj_modal', 'mj_custom_zoom']),
  );
});

it('cannot be tested, which says nothing against them', async () => {
  const bench = await startDrawingBench();
  expect(await codeOf(bench.operator.channel.test({ id: bench.channelId }))).toBe(
    'channel_test_unsupported',
  );
  expect((await bench.operator.channel.get({ id: bench.channelId })).status).toBe(1);
  expect(bench.proxy.requests).toEqual([]);
});

it('a channel of an old console offers mj_upload as mj_uploads', async () => {
  const bench = await startDrawingBench();
  await bench.operator.channel.update({ id: bench.channelId, models: 'mj_uploads' });
  bench.proxy.script({ code: 1, result: ['https://images.example/1.png'] });
  const reply = await bench.post('/mj/submit/upload-discord-images', {
    base64Array: ['data:image/png;base64,AAAA'],
  });
  expect([reply.status, (await bench.rows())[0]?.quota]).toEqual([200, 25_000]);
});

it('does not serve conversations', async () => {
  const bench = await startDrawingBench();
  const messages = [{ role: 'user', content: 'hi' }];
  const reply = await bench.post<{ error: { code: string } }>('/v1/chat/completions', {
    model: 'mj_imagine',
    messages,
  });
  expect([reply.status, reply.body.error.code]).toEqual([400, 'unsupported_operation']);
  expect(bench.proxy.requests).toEqual([]);
});
