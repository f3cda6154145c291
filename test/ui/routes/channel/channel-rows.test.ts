import { expect, it } from 'vitest';
import type { ChannelTag } from '../../../../src/core/contract/channel-tags.ts';
import { keyOfRow, stateOfRow, tagRows } from '../../../../src/ui/routes/channel/channel-rows.ts';
import { channel } from '../../support/channel.ts';

const tag = (name: string): ChannelTag => ({
  tag: name,
  channels: 3,
  enabled: 2,
  disabled: 1,
  auto_disabled: 0,
  failed: 0,
  used_quota: 0,
  response_time: 0,
  groups: ['default'],
  priority: 0,
  weight: null,
});
const items = [tag('east'), tag('west'), { ...channel, id: 9 }];

it('an open tag has its channels below it, others none', () => {
  const below = [
    { ...channel, id: 4, tag: 'west' },
    { ...channel, id: 5, tag: 'west' },
  ];
  const rows = tagRows(items, [{ tag: 'west', channels: below, broken: false }]);
  expect(rows.map(keyOfRow)).toEqual(['tag:east', 'tag:west', 4, 5, 9]);
  expect(rows.map((row) => (row.kind === 'tag' ? row.open : row.child))).toEqual([
    false,
    true,
    true,
    true,
    false,
  ]);
});

it('an open tag is open before its channels are read, and says when they could not be', () => {
  const open = (broken: boolean) =>
    tagRows(items, [{ tag: 'east', channels: undefined, broken }]).filter(
      (row) => row.kind === 'tag' && row.open,
    );
  expect(open(false)).toMatchObject([{ tag: 'east', broken: false }]);
  expect(open(true)).toMatchObject([{ tag: 'east', broken: true }]);
});

it('a disabled channel under a tag is dimmed, and stands indented as the others', () => {
  const below = [1, 2, 3].map((status) => ({ ...channel, id: status, status, tag: 'west' }));
  const rows = tagRows(items, [{ tag: 'west', channels: below, broken: false }]);
  expect(rows.map(stateOfRow)).toEqual([
    'parent',
    'parent',
    'child',
    'dimmedChild',
    'dimmedChild',
    undefined,
  ]);
});
