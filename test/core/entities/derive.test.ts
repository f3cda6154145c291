import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  entityEditSchema,
  entityRules,
  entitySchema,
  newEntitySchema,
} from '../../../src/core/contract/entity-schema.ts';
import {
  createInputReader,
  createPresenter,
  initialInput,
  inputOf,
  rowName,
} from '../../../src/core/entities/convert.ts';
import { defineFields } from '../../../src/core/entities/field.ts';
import { checkExpiry, createFieldCheck, findProblem } from '../../../src/core/entities/limits.ts';
import { AppError } from '../../../src/core/kernel/errors.ts';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { defineEntityMapping } from '../../../src/core/storage/mapping.ts';

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
  worth: {
    kind: 'quota',
    default: 100,
    limits: { min: 0, error: 'code_quota_invalid' },
    input: { default: 7, initial: 9 },
  },
  addresses: { kind: 'list', separator: '\n', default: '', input: { nullable: true } },
  is_open: { kind: 'flag', default: false, input: {} },
  end_time: { kind: 'time', never: -1, default: -1, input: {} },
  may_stop: { kind: 'bit', default: true, input: { nullable: true } },
});
const check = createFieldCheck(fields);

/** An entity whose users edit a part of it, and whose table differs from its replies. */
const account = defineFields({
  login: {
    kind: 'text',
    trim: true,
    limits: { min: 1, max: 5, pattern: /^[^ ]*$/, error: 'username_invalid' },
    input: { calls: ['create', 'edit', 'own'], required: true, emptyKeeps: ['edit', 'own'] },
  },
  word: {
    kind: 'text',
    stored: false,
    hidden: true,
    limits: { min: 3, maxBytes: 6, error: 'password_invalid' },
    input: { calls: ['create', 'own'], required: true, emptyKeeps: ['own'] },
  },
  word_hash: { kind: 'secret', hidden: true },
  rank: { kind: 'integer', default: 1, input: {} },
  gift: {
    kind: 'quota',
    default: 0,
    limits: { min: 0, calls: ['create'], error: 'invalid_parameter' },
    input: { optional: true },
  },
  phone: { kind: 'text', nullable: true, nullAsEmpty: true, masked: 'always' },
  note: { kind: 'text', default: '', sealed: true, masked: 'for-others' },
  total_gift: { kind: 'quota', column: 'total', default: 0 },
  badge_id: { kind: 'text', stored: false, identity: 'badges' },
  LeftAt: { kind: 'instant', column: 'left_at', nullable: true },
});

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
    expect(['id', 'linux_do_id', 'spent_2', 'DeletedAt'].map((name) => rowName(name))).toEqual([
      'id',
      'linuxDoId',
      'spent2',
      'deletedAt',
    ]);
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
    const input = {
      full_name: 'a',
      is_open: undefined,
      end_time: 5,
      may_stop: 0,
      id: 3,
      key_hash: 'x',
      spent_2: 9,
    };
    expect(read(input)).toEqual({ fullName: 'a', endTime: 5, mayStop: false });
  });
});

describe('what differs between table and replies', () => {
  const present = createPresenter(account, {
    phone: (text) => `…${text.slice(-2)}`,
    note: () => '',
  });
  const row = {
    login: 'ann',
    rank: 2,
    gift: 3,
    phone: '12345',
    note: 'n',
    totalGift: 4,
    badgeId: 'b',
    leftAt: 60,
  };
  test('masks, nulls, ISO times and values of other tables', () => {
    const wire = {
      login: 'ann',
      rank: 2,
      gift: 3,
      phone: '…45',
      total_gift: 4,
      badge_id: 'b',
      LeftAt: '1970-01-01T00:01:00.000Z',
    };
    expect(present(row, 'masked')).toEqual({ ...wire, note: '' });
    expect(present(row, 'whole')).toEqual({ ...wire, note: 'n' });
    const empty = present({ ...row, phone: null, leftAt: null }, 'whole');
    expect([empty.phone, empty.LeftAt]).toEqual(['…', null]);
    expect(entitySchema(account).strict().parse(empty)).toEqual(empty);
    // @ts-expect-error what is shown of a masked field depends on the reader
    present(row);
    // @ts-expect-error every masked field needs its mask
    createPresenter(account, { phone: (text: string) => text });
  });
  test('the mapping of the table leaves out what it does not hold, and knows the columns by their names', () => {
    const mapping = defineEntityMapping(account);
    const stored = {
      login: 'ann',
      rank: 2,
      gift: 3,
      phone: null,
      total: 4,
      left_at: 60,
      note: 'sealed',
      word: 'hash',
    };
    const read = { login: 'ann', rank: 2, gift: 3, phone: null, totalGift: 4, leftAt: 60 };
    expect(mapping.read(stored as never)).toEqual(read);
    expect(mapping.write({ totalGift: toQuota(4), leftAt: 60 })).toEqual({ total: 4, left_at: 60 });
  });
});

describe('calls', () => {
  test('accept their fields only', () => {
    const wire = { login: 'a', word: 'abc', rank: 2, gift: 1 };
    expect(createInputReader(account, 'create')(wire)).toEqual(wire);
    expect(createInputReader(account, 'edit')(wire)).toEqual({ login: 'a', rank: 2, gift: 1 });
    expect(createInputReader(account, 'own')(wire)).toEqual({ login: 'a', word: 'abc' });
    expect(Object.keys(newEntitySchema(account).shape)).toEqual(['login', 'word', 'rank', 'gift']);
    expect(Object.keys(entityEditSchema(account).shape)).toEqual(['login', 'rank', 'gift']);
    expect(Object.keys(entityEditSchema(account, 'own').shape)).toEqual(['login', 'word']);
  });
  test('an optional field has no default', () => {
    expect(newEntitySchema(account).parse({ login: 'a', word: 'abc' })).toEqual({
      login: 'a',
      word: 'abc',
      rank: 1,
    });
  });
  test('an empty text that keeps the field is left out, and its limits are not described', () => {
    expect(createFieldCheck(account, 'own')({ login: '', word: '' })).toEqual({});
    expect(codeOf(() => createFieldCheck(account, 'create')({ login: '' }))).toEqual([
      'username_invalid',
      { min: 1, max: 5, field: 'login' },
    ]);
    const limitsOf = (schema: z.ZodType) =>
      z.toJSONSchema(schema, { io: 'input' }).properties?.['login'];
    expect(limitsOf(newEntitySchema(account))).toEqual({
      type: 'string',
      minLength: 1,
      maxLength: 5,
      pattern: '^[^ ]*$',
    });
    expect(limitsOf(entityEditSchema(account))).toEqual({ type: 'string', maxLength: 5 });
  });
  test('forms check the limits of their call', () => {
    const codes = (call: 'create' | 'own', values: object) =>
      entityRules(account, call)
        .safeParse(values)
        .error?.issues.map(({ path, message }) => [path[0], message]);
    expect(codes('create', { login: 'a b', word: '', gift: -1 })).toEqual([
      ['login', 'username_invalid'],
      ['word', 'password_invalid'],
      ['gift', 'invalid_parameter'],
    ]);
    expect(codes('own', { login: '', word: '' })).toBeUndefined();
  });
  test('a form of an edit starts with what is there; what never leaves the server is empty', () => {
    const entity = {
      login: 'ann',
      rank: 2,
      gift: 3,
      phone: '',
      note: '',
      total_gift: 0,
      badge_id: '',
      LeftAt: null,
    };
    expect(inputOf(account, entity, 'edit')).toEqual({ login: 'ann', rank: 2, gift: 3 });
    expect(inputOf(account, entity, 'own')).toEqual({ login: 'ann', word: '' });
    expect(initialInput(account)).toEqual({ login: '', word: '', rank: 1, gift: 0 });
  });
  test('values that do not change are not checked and left out', () => {
    const row = {
      login: 'longer than five',
      rank: 2,
      gift: toQuota(0),
      phone: null,
      note: '',
      totalGift: toQuota(0),
      leftAt: null,
    };
    const current = { ...row, wordHash: new Secret('h') };
    expect(
      createFieldCheck(account, 'edit')({ login: ' longer than five ', rank: 3 }, current),
    ).toEqual({ rank: 3 });
    expect(
      codeOf(() => createFieldCheck(account, 'edit')({ login: 'longer still' }, current)),
    ).toEqual(['username_invalid', { min: 1, max: 5, field: 'login' }]);
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
    expect(initialInput(fields)).toEqual({
      full_name: '',
      worth: 9,
      addresses: '',
      is_open: false,
      end_time: -1,
      may_stop: 1,
    });
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
    ['ab', 'password_invalid'],
    ['abc', undefined],
    ['密码', 'password_invalid'],
    ['abcdef', undefined],
    ['abcdé', undefined],
    ['abcdeé', 'password_invalid'],
  ])('a text may be bounded by its bytes: %j', (text, code) => {
    const problem = code && { code, params: { min: 3, max: 6 } };
    expect(findProblem(account.word, text)).toEqual(problem);
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
