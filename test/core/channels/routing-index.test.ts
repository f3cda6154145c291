import { expect, test } from 'vitest';
import { createTestApp } from '../../support/app.ts';

const openai = { name: 'main', type: 1, base_url: 'http://127.0.0.1:1', models: 'gpt-4o' };

async function withThree() {
  const made = await createTestApp();
  const { ids } = await made.operator.channel.create({ ...openai, key: 'a\nb\nc' });
  const { routing } = made.app.channels;
  const routed = () =>
    routing
      .tiers('default', 'gpt-4o')
      .map(({ priority, channels }) => [priority, channels.map(({ id }) => id)]);
  return { ...made, ids, routing, routed };
}

test('a change of one channel is in the index, and the others stay the very objects they were', async () => {
  const { operator, ids, routing, routed } = await withThree();
  const [one = 0, two = 0, three = 0] = ids;
  const other = routing.find(two);
  await operator.channel.update({ id: one, priority: 5 });
  expect(routed()).toEqual([
    [5, [one]],
    [0, [two, three]],
  ]);
  expect(routing.find(two)).toBe(other);
  await operator.channel.update({ id: three, status: 2 });
  expect(routed()).toEqual([
    [5, [one]],
    [0, [two]],
  ]);
  await operator.channel.update({ id: three, status: 1 });
  await operator.channel.update({ id: one, models: 'gpt-5' });
  expect(routed()).toEqual([[0, [two, three]]]);
  await operator.channel.remove({ id: two });
  expect(routed()).toEqual([[0, [three]]]);
});

test('reloads that come together end with what is stored', async () => {
  const { app, ids, routing, routed } = await withThree();
  const [one = 0, two = 0, three = 0] = ids;
  const { channels } = app.storage;
  const reloads = [routing.reload()];
  await channels.update(one, { priority: 7 });
  reloads.push(routing.reload([one]));
  await channels.update(two, { priority: 8 });
  reloads.push(routing.reload([two]), routing.reload(), routing.reload([three]));
  await Promise.all(reloads);
  expect(routed()).toEqual([
    [8, [two]],
    [7, [one]],
    [0, [three]],
  ]);
});
