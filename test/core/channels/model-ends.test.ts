import { expect, it } from 'vitest';
import { endingModels, lastEnd, lastEnds } from '../../../src/core/channels/model-ends.ts';
import { createTestApp } from '../../support/app.ts';

async function channelsOf(...rows: readonly (readonly [type: number, models: string])[]) {
  const { app, operator } = await createTestApp();
  for (const [type, models] of rows)
    await operator.channel.create({
      name: `t${type}`,
      type,
      key: 'a|b|c',
      base_url: 'https://upstream.test',
      other: 'global',
      models,
      group: 'default',
    });
  return [...app.channels.routing.all()];
}

it('a model ends for customers when its last channel loses it', async () => {
  const [anthropic, bedrock, custom] = await channelsOf(
    [14, 'claude-sonnet-4-5,claude-opus-5-5'],
    [33, 'claude-sonnet-4-5'],
    [8, 'claude-sonnet-4-5'],
  );
  if (anthropic === undefined || bedrock === undefined || custom === undefined) throw new Error();
  const successor = 'claude-sonnet-5-5';
  expect(lastEnd([anthropic], 'claude-sonnet-4-5')).toEqual({ ends: '2026-11-30', successor });
  expect(lastEnd([bedrock, anthropic], 'claude-sonnet-4-5')).toEqual({
    ends: '2027-04-08',
    successor,
  });
  expect(lastEnd([anthropic, custom], 'claude-sonnet-4-5')).toBeUndefined();
  expect([...lastEnds([anthropic, bedrock])]).toEqual([
    ['claude-sonnet-4-5', { ends: '2027-04-08', successor }],
  ]);
});

it('operators see what has ended and what ends within 30 days, with its channels', async () => {
  const channels = await channelsOf(
    [14, 'claude-sonnet-4-5,claude-opus-4-5'],
    [1, 'gpt-4,gpt-4.1'],
    [41, 'claude-sonnet-4-5'],
  );
  const found = endingModels(channels, Date.parse('2026-11-28T12:00:00Z'));
  expect(
    found.map(({ model, ends, channels: at }) => [model, ends, ...at.map(({ name }) => name)]),
  ).toEqual([
    ['claude-sonnet-4-5', '2026-09-29', 't41'],
    ['gpt-4', '2026-10-23', 't1'],
    ['claude-sonnet-4-5', '2026-11-30', 't14'],
  ]);
});

it('the dashboard of the site names them, a minute after a change at the latest', async () => {
  const { operator, clock } = await createTestApp();
  const fields = { name: 'c', type: 14, key: 'k', group: 'default', models: 'claude-sonnet-4-5' };
  await operator.channel.create(fields);
  const [channel] = (await operator.channel.list({})).items;
  const successor = 'claude-sonnet-5-5';
  const ending = { model: 'claude-sonnet-4-5', ends: '2026-11-30', successor };
  const named = async () => (await operator.overview.get({})).ending_models;
  expect(await named()).toEqual([{ ...ending, channels: [channel?.id] }]);
  expect((await operator.overview.get({ scope: 'self' })).ending_models).toEqual([]);
  const model_mapping = JSON.stringify({ 'claude-sonnet-4-5': successor });
  await operator.channel.update({ id: channel?.id ?? 0, model_mapping });
  clock.move(60_000);
  expect(await named()).toEqual([]);
});
