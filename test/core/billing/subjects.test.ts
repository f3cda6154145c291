/** What a posting is about, of each kind (docs/rules/ledger.md#subjects). */
import { expect, it } from 'vitest';
import { type SubjectStorage, subjectsOf } from '../../../src/core/billing/subjects.ts';
import type { Posting } from '../../../src/core/storage/storage.ts';

/** A posting of user 7 with the log row that was written with it. */
interface Case {
  readonly kind: Posting['kind'];
  readonly reference?: string | null;
  readonly log?: { readonly modelName?: string; readonly other?: unknown };
}

/** What was looked up, and the subjects of the cases in their order. */
async function describe(cases: readonly Case[], forAdmins = true) {
  const postings = cases.map(
    ({ kind, reference = null }, i) => ({ id: i + 1, userId: 7, kind, reference }) as Posting,
  );
  const searched: Record<string, unknown> = {};
  const storage = {
    logs: {
      ofPostings: async (found: readonly Posting[]) => {
        searched['logs'] = found.map(({ kind }) => kind);
        return found.flatMap(({ id }) => {
          const log = cases[id - 1]?.log;
          if (log === undefined) return [];
          const other = typeof log.other === 'string' ? log.other : JSON.stringify(log.other ?? {});
          return [{ ledgerId: id, modelName: log.modelName ?? '', other }];
        });
      },
    },
    topUps: {
      methods: async (orders: readonly string[]) => {
        searched['orders'] = orders;
        return new Map([['o1', 'alipay']]);
      },
    },
    redemptions: {
      names: async (codes: readonly number[]) => {
        searched['codes'] = codes;
        return new Map([[4, 'Spring']]);
      },
    },
    users: {
      findMany: async (ids: readonly number[]) => {
        searched['users'] = [...((searched['users'] as number[]) ?? []), ...ids];
        const known = [
          { id: 7, username: 'ann', inviterId: 8 },
          { id: 8, username: 'bob', inviterId: 0 },
        ];
        return known.filter(({ id }) => ids.includes(id));
      },
    },
  } as unknown as SubjectStorage;
  const subjects = await subjectsOf(storage, postings, forAdmins);
  return { searched, found: postings.map(({ id }) => subjects.get(id) ?? null) };
}

const actor = (id: unknown, name: unknown) => ({
  other: { admin_info: { actor_id: id, actor: name } },
});
const nobody = { kind: 'administrator', id: '', name: '' };

it.each<[Case, object | null]>([
  [
    { kind: 'charge', reference: 'r1', log: { modelName: 'm' } },
    { kind: 'request', id: 'r1', name: 'm' },
  ],
  [{ kind: 'charge' }, { kind: 'request', id: '', name: '' }],
  [
    { kind: 'refund', reference: 'task:3', log: { modelName: 'm', other: { task_id: 't' } } },
    { kind: 'task', id: 't', name: 'm' },
  ],
  [
    { kind: 'refund', reference: 'task:3' },
    { kind: 'task', id: '#3', name: '' },
  ],
  [
    { kind: 'refund', reference: 'task:3', log: { other: { task_id: 5 } } },
    { kind: 'task', id: '#3', name: '' },
  ],
  [
    { kind: 'refund', reference: 'task:3', log: { other: 'no JSON' } },
    { kind: 'task', id: '#3', name: '' },
  ],
  [
    { kind: 'refund', reference: 'drawing:3' },
    { kind: 'drawing', id: '#3', name: '' },
  ],
  [{ kind: 'refund', reference: 'other:3' }, null],
  [{ kind: 'refund' }, null],
  [
    { kind: 'top_up', reference: 'o1' },
    { kind: 'order', id: 'o1', name: 'alipay' },
  ],
  [
    { kind: 'top_up', reference: 'o:2' },
    { kind: 'order', id: 'o:2', name: '' },
  ],
  [{ kind: 'top_up' }, null],
  [
    { kind: 'payment_refund', reference: 'o1:9' },
    { kind: 'order', id: 'o1', name: 'alipay' },
  ],
  [{ kind: 'payment_refund' }, null],
  [
    { kind: 'redemption', reference: '4' },
    { kind: 'code', id: '4', name: 'Spring' },
  ],
  [{ kind: 'redemption' }, { kind: 'code', id: '', name: '' }],
  [
    { kind: 'grant', reference: 'account:7' },
    { kind: 'account', id: '7', name: '' },
  ],
  [
    { kind: 'grant', log: actor(1, 'root') },
    { kind: 'administrator', id: '1', name: 'root' },
  ],
  [{ kind: 'grant', log: actor('1', 'root') }, nobody],
  [{ kind: 'grant', log: actor(1, 5) }, nobody],
  [{ kind: 'grant', log: { other: { admin_info: 'root' } } }, nobody],
  [{ kind: 'grant' }, nobody],
  [{ kind: 'grant', reference: 'subscription:3' }, null],
  [
    { kind: 'adjustment', log: actor(1, 'root') },
    { kind: 'administrator', id: '1', name: 'root' },
  ],
  [{ kind: 'adjustment' }, null],
  [{ kind: 'invite' }, { kind: 'inviter', id: '8', name: 'bob' }],
  [{ kind: 'transfer' }, { kind: 'invites', id: '7', name: '' }],
  [{ kind: 'opening' }, null],
  [{ kind: 'import', reference: 'import:7' }, null],
])('%o', async (posting, subject) => {
  expect((await describe([posting])).found).toEqual([subject]);
});

const page: readonly Case[] = [
  { kind: 'charge', reference: 'r1' },
  { kind: 'refund', reference: 'task:3' },
  { kind: 'top_up', reference: 'o1' },
  { kind: 'payment_refund', reference: 'o2:9' },
  { kind: 'redemption', reference: '4' },
  { kind: 'grant', log: actor(1, 'root') },
  { kind: 'adjustment' },
  { kind: 'invite' },
  { kind: 'transfer' },
];

it('looks up only what its postings need', async () => {
  expect((await describe(page)).searched).toEqual({
    logs: ['charge', 'refund', 'grant', 'adjustment'],
    orders: ['o1', 'o2'],
    codes: [4],
    users: [7, 8],
  });
  expect((await describe([{ kind: 'transfer' }])).searched).not.toHaveProperty('users');
});

it('customers see neither who acts for the site nor who invited them, and nobody is looked up', async () => {
  const { searched, found } = await describe(page, false);
  expect(found[5]).toEqual(nobody);
  expect(found[7]).toEqual({ kind: 'inviter', id: '', name: '' });
  expect(found[8]).toEqual({ kind: 'invites', id: '7', name: '' });
  expect(searched).not.toHaveProperty('users');
});
