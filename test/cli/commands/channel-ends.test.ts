/** `turnpike channels ends` with the real core (docs/rules/models.md#ends-shown). */
import { expect, test } from 'vitest';
import { createLocalTransport } from '../../../src/server/local-client.ts';
import { createTestApp } from '../../support/app.ts';
import { runCli } from '../run-cli.ts';

test('what ends is listed for all enabled channels or one, and mapped to its successor', async () => {
  // The clock of the test stands on 2026-11-20.
  const { app, operator } = await createTestApp();
  const transport = createLocalTransport(app, undefined, 'en');
  const turnpike = (...line: string[]) => runCli(['channels', 'ends', ...line], { transport });
  const add = async (models: string, model_mapping = '') =>
    (await operator.channel.create({ name: 'c', type: 14, key: 'k', models, model_mapping }))
      .ids[0];
  const first = await add('claude-sonnet-4-5,claude-opus-5-5,mine', '{"mine":"claude-3-haiku"}');
  const second = await add('claude-sonnet-4-5', '{"claude-sonnet-4-5":"claude-sonnet-5-5"}');

  const { stdout } = await turnpike();
  expect(stdout).toMatch(/claude-sonnet-4-5 +2026-11-30 +claude-sonnet-5-5/);
  expect(stdout).toMatch(/mine +2026-04-20 +claude-haiku-4-5/);
  expect(stdout).not.toContain('claude-opus-5-5');
  expect((await turnpike(String(second), '--json')).json()).toEqual({ items: [], total: 0 });

  expect((await turnpike(String(first), '--map', '--json')).json()).toMatchObject({
    items: [
      { id: first, model: 'mine', mapped: true },
      { id: first, model: 'claude-sonnet-4-5', ends: '2026-11-30', mapped: true },
    ],
  });
  const { model_mapping } = await operator.channel.get({ id: first ?? 0 });
  expect(JSON.parse(model_mapping)).toEqual({
    mine: 'claude-haiku-4-5',
    'claude-sonnet-4-5': 'claude-sonnet-5-5',
  });
  expect((await turnpike()).stderr).toContain('None');
});
