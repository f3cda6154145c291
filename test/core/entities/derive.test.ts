import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { entityEditSchema, entitySchema, newEntitySchema } from '../../../src/core/contract/entity-schema.ts';
import { createInputReader, createPresenter, initialInput, rowName } from '../../../src/core/entities/convert.ts';
import { defineFields } from '../../../src/core/entities/field.ts';
import { checkExpiry, createFieldCheck, findProblem } from '../../../src/core/entities/limits.ts';
import { AppError } from '../../../src/core/kernel/errors.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';

const fields = defineFields({
  id: { kind: 'integer', generated: true },
  full_name: {
    kind: 'text',
    default: '',
    trim: true,
    limits: { min: 1, max: 3, error: 'name_too_long', empty: 'name_required' },
    input: { required: true },
  },
  key: { kind: 'secret' },
  key_hash: { kind: 'text', hidden: true },
  spent_2: { kind: 'quota', default: 0 },
  worth: { kind: 'quota', default: 100, limits: { min: 0, error: 'code_quota_invalid' }, input: { default: 7, initial: 9 } },
  addresses: { kind: 'list', separator: '\n', default: '', input: { nullable: true } },
  is_open: { kind: 'flag', default: false, input: {} },
  end_time: { kind: 'time', never: -1, default: -1, input: {} },
  may_stop: { kind: 'bit', default: true, input: { nullable: true } },
});
const check = createFieldCheck(fields);

function codeOf(run: () => unknown): unknown {
  try {
    run();
    return 'accepted';
  } catch (error) {
    return error instanceof AppError ? [error.code, error.params] : error;
  }
}

describe('names', () => {
  test('of the wire become names of rows', () => {
    expect(['id', 'linux_do_id', 'spent_2'].map(rowName)).toEqual(['id', 'linuxDoId', 'spent2']);
  });
  test('a presenter shows what is not hidden, in the declared order', () => {
    const present = createPresenter(fields);
    const row = {
      id: 1,
      fullName: 'a',
      key: 'k…',
      keyHash: 'h',
      spent2: 3,
      worth: 4,
      addresses: '',
      isOpen: true,
      endTime: -1,
      mayStop: true,
    };
    expect(Object.entries(present(row))).toEqual([
      ['id', 1],
      ['full_name', 'a'],
      ['key', 'k…'],
      ['spent_2', 3],
      ['worth', 4],
      ['addresses', ''],
      ['is_open', true],
      ['end_time', -1],
      ['may_stop', 1],
    ]);
    // @ts-expect-error a secret must be replaced by what may be shown
    present({ ...row, key: new Secret('k') });
  });
  test('a reader takes what may be written and leaves out what is absent', () => {
    const read = createInputReader(fields);
    const input = { full_name: 'a', is_open: undefined, end_time: 5, may_stop: 0, id: 3, key_hash: 'x', spent_2: 9 };
    expect(read(input)).toEqual({ fullName: 'a', endTime: 5, mayStop: false });
  });
});

describe('schemas', () => {
  test('of a new entity: required fields, defaults, null for an empty text', () => {
    const schema = newEntitySchema(fields);
    expect(schema.parse({ full_name: 'a', addresses: null, id: 4 })).toEqual({
      full_name: 'a',
      worth: 7,
      addresses: '',
      is_open: false,
      end_time: -1,
      may_stop: 1,
    });
    expect(schema.safeParse({}).success).toBe(false);
    expect(schema.safeParse({ full_name: 'a', worth: 0.5 }).success).toBe(false);
    expect(schema.safeParse({ full_name: 'a', may_stop: 2 }).success).toBe(false);
  });
  test('of an edit: nothing has a default', () => {
    const schema = entityEditSchema(fields);
    expect(schema.parse({})).toEqual({});
    expect(schema.parse({ addresses: null, is_open: true, may_stop: null })).toEqual({
      addresses: '',
      is_open: true,
      may_stop: 0,
    });
  });
  test('limits are described, not enforced: the service has an error for each', () => {
    const { properties } = z.toJSONSchema(newEntitySchema(fields), { io: 'input' });
    expect(properties?.['full_name']).toEqual({ type: 'string', minLength: 1, maxLength: 3 });
    expect(properties?.['worth']).toMatchObject({ minimum: 0, default: 7 });
    expect(newEntitySchema(fields).safeParse({ full_name: 'abcd' }).success).toBe(true);
  });
  test('of what leaves the server: no hidden field', () => {
    expect(Object.keys(entitySchema(fields).shape)).toEqual([
      'id',
      'full_name',
      'key',
      'spent_2',
      'worth',
      'addresses',
      'is_open',
      'end_time',
      'may_stop',
    ]);
  });
  test('a form starts with the initial values', () => {
    expect(initialInput(fields)).toEqual({ full_name: '', worth: 9, addresses: '', is_open: false, end_time: -1, may_stop: 1 });
  });
});

describe('limits', () => {
  test.each([
    ['𝒜密c', undefined],
    [' abc ', undefined],
    ['abcd', 'name_too_long'],
    ['  ', 'name_required'],
  ])('a text is counted in characters, without the spaces around it: %j', (text, code) => {
    expect(findProblem(fields.full_name, text)?.code).toBe(code);
  });
  test.each([
    [0, 'accepted'],
    [-1, ['code_quota_invalid', { min: 0, field: 'worth' }]],
    [0.5, ['code_quota_invalid', { min: 0, field: 'worth' }]],
    [2 ** 53, ['code_quota_invalid', { min: 0, field: 'worth' }]],
  ])('a number is whole and within its bounds: %d', (worth, outcome) => {
    expect(codeOf(() => check({ worth }))).toEqual(outcome);
  });
  test('only given fields are checked and returned, trimmed', () => {
    expect(check({ fullName: ' a ', isOpen: true })).toEqual({ fullName: 'a', isOpen: true });
  });
  test.each([
    [-1, undefined, 'accepted'],
    [11, undefined, 'accepted'],
    [10, undefined, ['expiry_invalid', {}]],
    [0, undefined, ['expiry_invalid', {}]],
    [4, 4, 'accepted'],
    [undefined, 4, 'accepted'],
  ])('an expiry lies ahead, is never, or stays: %s after %s', (time, current, outcome) => {
    expect(codeOf(() => checkExpiry(fields.end_time, time, { now: 10, current }))).toEqual(outcome);
  });
});
