import { describe, expect, test } from 'vitest';
import {
  findRefusal,
  type PolicyCase,
  type UserAct,
} from '../../../src/core/entities/user-policy.ts';

/**
 * The matrix of docs/rules/accounts.md#who-may-do-what, written out: actor role down, target role
 * across.
 */
const targets = [1, 10, 100] as const;
const ok = null;
type Row = readonly [actor: number, ...cells: (string | null)[]];

const matrix: readonly [UserAct, readonly Row[]][] = [
  [
    'read',
    [
      [1, 'user_read_forbidden', 'user_read_forbidden', 'user_read_forbidden'],
      [10, ok, 'user_read_forbidden', 'user_read_forbidden'],
      [100, ok, ok, ok],
    ],
  ],
  [
    'update',
    [
      [1, 'user_update_forbidden', 'user_update_forbidden', 'user_update_forbidden'],
      [10, ok, 'user_update_forbidden', 'user_update_forbidden'],
      [100, ok, ok, ok],
    ],
  ],
  [
    'remove',
    [
      [1, 'user_delete_forbidden', 'user_delete_forbidden', 'user_delete_forbidden'],
      [10, ok, 'user_delete_forbidden', 'user_delete_forbidden'],
      [100, ok, ok, 'user_delete_forbidden'],
    ],
  ],
  [
    'manage-promote',
    [
      [1, 'user_update_forbidden', 'user_update_forbidden', 'user_update_forbidden'],
      [10, 'only_root_promotes', 'user_update_forbidden', 'user_update_forbidden'],
      [100, ok, 'already_admin', 'already_admin'],
    ],
  ],
  [
    'manage-demote',
    [
      [1, 'user_update_forbidden', 'user_update_forbidden', 'user_update_forbidden'],
      [10, 'already_user', 'user_update_forbidden', 'user_update_forbidden'],
      [100, 'already_user', ok, 'root_cannot_be_demoted'],
    ],
  ],
  [
    'manage-disable',
    [
      [1, 'user_update_forbidden', 'user_update_forbidden', 'user_update_forbidden'],
      [10, ok, 'user_update_forbidden', 'user_update_forbidden'],
      [100, ok, ok, 'root_cannot_be_disabled'],
    ],
  ],
  [
    'manage-enable',
    [
      [1, 'user_update_forbidden', 'user_update_forbidden', 'user_update_forbidden'],
      [10, ok, 'user_update_forbidden', 'user_update_forbidden'],
      [100, ok, ok, ok],
    ],
  ],
  [
    'manage-delete',
    [
      [1, 'user_update_forbidden', 'user_update_forbidden', 'user_update_forbidden'],
      [10, ok, 'user_update_forbidden', 'user_update_forbidden'],
      [100, ok, ok, 'root_cannot_be_deleted'],
    ],
  ],
];

const cells = matrix.flatMap(([act, rows]) =>
  rows.flatMap(([actor, ...expected]) =>
    targets.map((target, index) => [act, actor, target, expected[index] ?? null] as const),
  ),
);

const someone = (role: number, fields: Partial<NonNullable<PolicyCase['target']>> = {}) => ({
  id: 2,
  role,
  status: 1,
  deletedAt: null,
  ...fields,
});

test.each(cells)('%s: %d on %d', (act, actorRole, targetRole, expected) => {
  expect(findRefusal(act, { actor: { id: 1, role: actorRole }, target: someone(targetRole) })).toBe(
    expected,
  );
});

describe('roles in bodies', () => {
  test.each([
    ['create', 10, 1, null],
    ['create', 10, 10, 'user_create_forbidden'],
    ['create', 10, 100, 'user_create_forbidden'],
    ['create', 100, 10, null],
    ['create', 100, 100, 'user_create_forbidden'],
    ['update', 10, 1, null],
    ['update', 10, 10, 'user_role_forbidden'],
    ['update', 10, 100, 'user_role_forbidden'],
    ['update', 100, 100, null],
  ] as const)('%s by %d naming %d', (act, actorRole, role, expected) => {
    expect(
      findRefusal(act, {
        actor: { id: 1, role: actorRole },
        target: act === 'update' ? someone(1) : undefined,
        role,
      }),
    ).toBe(expected);
  });
});

test.each(['promote', 'demote', 'disable', 'enable', 'delete'] as const)(
  'nobody can %s oneself',
  (action) => {
    for (const role of [1, 10, 100]) {
      expect(
        findRefusal(`manage-${action}`, { actor: { id: 2, role }, target: someone(role) }),
      ).toBe('not_on_yourself');
    }
  },
);

test.each([{ status: 3 }, { deletedAt: 5 }])(
  'a deactivated user is not enabled again: %o',
  (fields) => {
    expect(
      findRefusal('manage-enable', { actor: { id: 1, role: 100 }, target: someone(1, fields) }),
    ).toBe('deactivated_cannot_be_enabled');
  },
);

test.each([
  ['manage-delete', 'already_deactivated'],
  ['grant', 'already_deactivated'],
  ['credit-order', null],
] as const)('a deactivated user: %s is %s', (act, refusal) => {
  const target = someone(1, { status: 3, deletedAt: 5 });
  expect(findRefusal(act, { actor: { id: 1, role: 100 }, target })).toBe(refusal);
});

test('a super admin cannot delete the own account, others can', () => {
  expect(
    [1, 10, 100].map((role) => findRefusal('remove-self', { actor: { id: 1, role } })),
  ).toEqual([null, null, 'root_cannot_be_deleted']);
});

test('tokens of others: by rank, of oneself always', () => {
  const refusal = (actorRole: number, targetRole: number, id = 2) =>
    findRefusal('own-tokens', {
      actor: { id: 1, role: actorRole },
      target: someone(targetRole, { id }),
    });
  expect([refusal(10, 1), refusal(10, 10), refusal(10, 10, 1), refusal(100, 100)]).toEqual([
    null,
    'user_update_forbidden',
    null,
    null,
  ]);
});
