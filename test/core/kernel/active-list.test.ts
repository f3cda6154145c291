import { expect, it } from 'vitest';
import { ActiveList } from '../../../src/core/kernel/active-list.ts';

it('has what was added and not removed, in whatever order it is removed', () => {
  const list = new ActiveList<string>();
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => list.add(name));
  if (a === undefined || b === undefined || c === undefined || d === undefined)
    throw new Error('nothing was added');
  list.remove(b);
  expect([...list.items()].sort()).toEqual(['a', 'c', 'd']);
  list.remove(a);
  list.remove(d);
  expect(list.items()).toEqual(['c']);
  list.remove(c);
  expect(list.items()).toEqual([]);
});

it('ignores an entry that was removed before, also when another one has its place', () => {
  const list = new ActiveList<string>();
  const first = list.add('first');
  list.remove(first);
  list.add('second');
  list.remove(first);
  expect(list.items()).toEqual(['second']);
});

it('can be emptied while its items are visited', () => {
  const list = new ActiveList<{ stop(): void }>();
  for (let index = 0; index < 5; index += 1) {
    const entry = list.add({ stop: () => list.remove(entry) });
  }
  for (const item of list.items()) item.stop();
  expect(list.items()).toEqual([]);
});
