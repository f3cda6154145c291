import { describe, expect, it } from 'vitest';
import { filterSchema } from '../../../src/core/contract/filter-schema.ts';
import { defineFilters, readFilters, writeFilters } from '../../../src/core/entities/filters.ts';

const filters = defineFilters({
  id: { kind: 'text', wire: 'task_id', anyTime: true, trim: true, label: { en: 'id', zh: '编号' } },
  model: {
    kind: 'text',
    match: 'pattern',
    wire: 'model_name',
    label: { en: 'model', zh: '模型' },
  },
  type: { kind: 'code', wire: 'type', label: { en: 'type', zh: '类型' } },
  channel: {
    kind: 'id',
    wire: 'channel_id',
    for: 'admins',
    label: { en: 'channel', zh: '渠道' },
  },
  time: {
    kind: 'time',
    wire: ['start', 'end'],
    column: 'created_at',
    unit: 1000,
    label: { en: 'time', zh: '时间' },
  },
});

describe('the query of declared filters', () => {
  const query = filterSchema(filters, 'admins');

  it('is empty by default and reads numbers and trimmed texts', () => {
    expect(query.parse({})).toEqual({
      task_id: '',
      model_name: '',
      type: 0,
      channel_id: 0,
      start: 0,
      end: 0,
    });
    expect(query.parse({ task_id: ' a ', model_name: ' m ', type: '-3', end: '7' })).toMatchObject({
      task_id: 'a',
      model_name: ' m ',
      type: -3,
      end: 7,
    });
  });

  it.each([{ channel_id: -1 }, { start: -1 }, { type: 2 ** 31 }, { type: 1.5 }])(
    'refuses %j',
    (wrong) => expect(query.safeParse(wrong).success).toBe(false),
  );

  it('has no parameter for owners that only administrators have', () => {
    expect(Object.keys(filterSchema(filters, 'owner').shape)).toEqual([
      'task_id',
      'model_name',
      'type',
      'start',
      'end',
    ]);
  });
});

it('reads only values that filter, and nothing of others for an owner', () => {
  const given = { task_id: '', model_name: 'gpt%', type: 0, channel_id: 4, start: 0, end: 9 };
  expect(readFilters(filters, given)).toEqual({ model: 'gpt%', channel: 4, to: 9 });
  expect(readFilters(filters, given, 'owner')).toEqual({ model: 'gpt%', to: 9 });
});

describe('texts by name as parameters', () => {
  const texts = { id: '', model: 'm', type: '2', channel: 'x' };
  const range = { start: 3, end: 4 };

  it('are numbers where they are, and times in the unit of the parameter', () => {
    expect(writeFilters(filters, texts, range, 'admins')).toEqual({
      task_id: '',
      model_name: 'm',
      type: 2,
      channel_id: 0,
      start: 3000,
      end: 4000,
    });
  });

  it('have no time where one row is named, and nothing that owners do not have', () => {
    expect(writeFilters(filters, { ...texts, id: 'a' }, range, 'owner')).toEqual({
      task_id: 'a',
      model_name: 'm',
      type: 2,
      start: 0,
      end: 0,
    });
  });
});

describe('filters beyond texts and numbers', () => {
  const label = { en: 'x', zh: '某' };
  const more = defineFilters({
    keyword: { kind: 'text', wire: 'keyword', url: 'q', own: true, label },
    tag: { kind: 'text', wire: 'tag', optional: true, label },
    state: {
      kind: 'code',
      wire: 'state',
      optional: true,
      choices: { a: 1, b: 4 },
      only: true,
      label,
    },
    word: { kind: 'text', wire: 'word', choices: ['one', 'two'], only: true, label },
    most: { kind: 'quota', wire: 'most', optional: true, compare: '<=', column: 'quota', label },
    since: { kind: 'moment', wire: 'since', optional: true, own: true, label },
    failed: { kind: 'switch', wire: 'failed', own: true, label },
    key: { kind: 'text', wire: 'key', own: true, for: 'owner', label },
  });
  const query = filterSchema(more, 'admins');
  const none = { keyword: '', word: '', failed: false };

  it('are absent until they are given, where 0 and nothing are values', () => {
    expect(query.parse({})).toEqual(none);
    const given = { tag: '', most: '0', since: 0, failed: 'true' };
    const parsed = query.parse(given);
    expect(parsed).toEqual({ ...none, tag: '', most: 0, since: 0, failed: true });
    expect(readFilters(more, parsed)).toEqual({ tag: '', most: 0, since: 0, failed: true });
    expect(readFilters(more, query.parse({}))).toEqual({});
  });

  it.each([{ state: 0 }, { state: 5 }, { word: 'three' }, { most: 0.5 }, { since: -1 }])(
    'refuse %j',
    (wrong) => expect(query.safeParse(wrong).success).toBe(false),
  );

  it('are read for owners, who have filters of their own', () => {
    expect(readFilters(more, { key: 'k', word: 'one' }, 'owner')).toEqual({
      key: 'k',
      word: 'one',
    });
    expect(readFilters(more, { key: 'k' })).toEqual({});
    expect(filterSchema(more, 'owner').parse({ key: 'k' })).toEqual({ ...none, key: 'k' });
  });

  it('are written from an address, without what they cannot be', () => {
    const range = { start: 0, end: 0 };
    const texts = { q: 'a', tag: '', state: '4', word: 'two', most: '0', since: 'x', failed: '1' };
    expect(writeFilters(more, texts, range, 'admins')).toEqual({
      keyword: 'a',
      state: 4,
      word: 'two',
      most: 0,
      failed: true,
    });
    expect(writeFilters(more, { state: '2', word: 'three', failed: '' }, range, 'admins')).toEqual(
      none,
    );
  });
});
