import { expect, test } from 'vitest';
import type { Account, Accounts } from '../../../../src/core/import/litellm/accounts.ts';
import type { OldKey } from '../../../../src/core/import/litellm/keys.ts';
import { memberTable, readMemberLimits } from '../../../../src/core/import/litellm/members.ts';
import type { SourceRow } from '../../../../src/core/import/source/source.ts';

const account = (
  id: number,
  kind: 'user' | 'team',
  oldId: string,
  row: SourceRow = {},
): Account => ({
  id,
  kind,
  oldId,
  name: oldId,
  row,
});
const root = account(1, 'user', 'root');
const team = account(4, 'team', 't', { metadata: { team_member_budget_id: 'of all' } });
const people = ['ann', 'bob', 'cleo'].map((name, index) => account(5 + index, 'user', name));
const accounts: Accounts = {
  list: [root, team, ...people],
  root,
  users: new Map(people.map((one) => [one.oldId, one])),
  teams: new Map([['t', team]]),
};
const key = (id: number, user: string, teamId: string | null = 't'): OldKey => ({
  id,
  name: `key ${id}`,
  owner: team,
  isNobodys: false,
  digest: `${id}`,
  row: { user_id: user, team_id: teamId },
});
const shared = new Map<string, SourceRow>([
  ['of all', { max_budget: 5, budget_duration: '1d', rpm_limit: 3, max_parallel_requests: 9 }],
  ['own', { max_budget: 8, tpm_limit: 100, soft_budget: 1 }],
  ['rate alone', { max_budget: null, rpm_limit: 20 }],
]);

const read = (rows: readonly SourceRow[], keys: readonly OldKey[]) =>
  readMemberLimits(
    {
      tables: new Map([[memberTable, new Set<string>()]]),
      batch: 10,
      source: {
        async *rows() {
          yield rows;
        },
      } as never,
    },
    accounts,
    keys,
    ({ id }) => id !== 2,
    shared,
  );

test("a member's limit is that of the one key in the team; without an amount it is the team's", async () => {
  const rows = [
    { user_id: 'cleo', team_id: 't', spend: 0, budget_id: 'rate alone' },
    { user_id: 'bob', team_id: 't', spend: 2, budget_id: null },
    { user_id: 'ann', team_id: 't', spend: 1.5, budget_id: 'own' },
  ];
  const keys = [key(1, 'ann'), key(2, 'bob'), key(3, 'cleo'), key(4, 'ann', null)];
  expect(await read(rows, keys)).toEqual({
    leftOut: [],
    owners: [
      {
        owner: 'token',
        id: 1,
        name: 'key 1 (member)',
        isNew: true,
        row: {
          max_budget: 8,
          budget_duration: null,
          budget_reset_at: null,
          tpm_limit: 100,
          rpm_limit: null,
          spend: 1.5,
        },
      },
      {
        owner: 'token',
        id: 2,
        name: 'key 2 (member)',
        isNew: false,
        row: {
          max_budget: 5,
          budget_duration: '1d',
          budget_reset_at: null,
          tpm_limit: null,
          rpm_limit: null,
          spend: 2,
        },
      },
      {
        owner: 'token',
        id: 3,
        name: 'key 3 (member)',
        isNew: true,
        row: {
          max_budget: 5,
          budget_duration: '1d',
          budget_reset_at: null,
          tpm_limit: null,
          rpm_limit: 20,
          spend: 0,
        },
      },
    ],
  });
});

test('of several keys or none no budget can be about', async () => {
  const rows = [
    { user_id: 'bob', team_id: 't', spend: 2, budget_id: 'own' },
    { user_id: 'ann', team_id: 't', spend: 2, budget_id: 'own' },
    // Its team is gone, and so are its keys.
    { user_id: 'cleo', team_id: 'gone', spend: 2, budget_id: 'own' },
  ];
  expect(await read(rows, [key(1, 'ann'), key(2, 'ann')])).toEqual({
    owners: [],
    leftOut: ['t, ann: 2', 't, bob: 0'],
  });
});
