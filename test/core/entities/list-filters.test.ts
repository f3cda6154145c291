// Covers src/core/entities/*-filters.ts: each filter is declared once, and every face has it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { budgetCommands } from '../../../src/cli/commands/budgets.ts';
import { channelCommands } from '../../../src/cli/commands/channels/index.ts';
import { ledgerCommands } from '../../../src/cli/commands/ledger.ts';
import { redemptionCommands } from '../../../src/cli/commands/redemptions.ts';
import { tokenCommands } from '../../../src/cli/commands/tokens.ts';
import { topUpCommands } from '../../../src/cli/commands/topups.ts';
import { userCommands } from '../../../src/cli/commands/users.ts';
import { bulkApi } from '../../../src/core/contract/bulk.ts';
import type { Endpoint } from '../../../src/core/contract/endpoint.ts';
import { api } from '../../../src/core/contract/index.ts';
import { budgetFilters } from '../../../src/core/entities/budget-filters.ts';
import { channelFilters } from '../../../src/core/entities/channel-filters.ts';
import { type Filters, filtersFor, type Reader } from '../../../src/core/entities/filters.ts';
import { ledgerFilters } from '../../../src/core/entities/ledger-filters.ts';
import { redemptionFilters } from '../../../src/core/entities/redemption-filters.ts';
import { tokenFilters } from '../../../src/core/entities/token-filters.ts';
import { topUpFilters } from '../../../src/core/entities/top-up-filters.ts';
import { userFilters } from '../../../src/core/entities/user-filters.ts';

const source = join(import.meta.dirname, '../../../src');

interface List {
  readonly name: string;
  readonly filters: Filters;
  readonly calls: readonly (readonly [Endpoint, Reader])[];
  readonly commands: readonly { readonly name: string; readonly flags?: readonly object[] }[];
}
const lists: readonly List[] = [
  {
    name: 'budgets',
    filters: budgetFilters,
    calls: [[api.budgets.status, 'admins']],
    commands: budgetCommands,
  },
  {
    name: 'channels',
    filters: channelFilters,
    calls: [[api.channel.list, 'admins']],
    commands: channelCommands,
  },
  {
    name: 'ledger',
    filters: ledgerFilters,
    calls: [
      [api.ledger.list, 'admins'],
      [api.ledger.listSelf, 'owner'],
    ],
    commands: ledgerCommands,
  },
  {
    name: 'redemptions',
    filters: redemptionFilters,
    calls: [[api.redemption.search, 'admins']],
    commands: redemptionCommands,
  },
  {
    name: 'tokens',
    filters: tokenFilters,
    calls: [
      [api.userTokens.list, 'admins'],
      [api.token.list, 'owner'],
    ],
    commands: tokenCommands,
  },
  {
    name: 'topups',
    filters: topUpFilters,
    calls: [[api.topUp.list, 'admins']],
    commands: topUpCommands,
  },
  {
    name: 'users',
    filters: userFilters,
    calls: [
      [api.user.search, 'admins'],
      [api.user.export, 'admins'],
    ],
    commands: userCommands,
  },
];

const parametersOf = (filters: Filters, who: Reader) =>
  filtersFor(filters, who).flatMap(([, { wire }]) => wire);
const fieldsOf = (flags: readonly object[] = []) =>
  flags.map((flag) => ('field' in flag ? String(flag.field) : ''));

describe.each(lists)('the filters of $name', ({ name, filters, calls, commands }) => {
  it('are parameters of its calls', () => {
    for (const [call, who] of calls)
      expect(Object.keys(call.input.shape)).toEqual(
        expect.arrayContaining(parametersOf(filters, who)),
      );
  });

  it('are flags of its command', () => {
    const listed = commands.find((command) => command.name === `${name} list`);
    expect(fieldsOf(listed?.flags)).toEqual(
      expect.arrayContaining(parametersOf(filters, 'admins')),
    );
  });
});

test.each([
  ['channels', bulkApi.channels, channelFilters, channelCommands, 'admins'],
  ['users', bulkApi.users, userFilters, userCommands, 'admins'],
  ['tokens', bulkApi.userTokens, tokenFilters, tokenCommands, 'admins'],
  ['', bulkApi.tokens, tokenFilters, [], 'owner'],
] as const)('a change of many %s selects them as the list does', (...row) => {
  const [name, call, filters, commands, who] = row;
  const { match } = call.input.shape;
  expect(Object.keys(match.unwrap().shape)).toEqual(parametersOf(filters, who));
  const bulk = commands.find((command) => command.name === `${name} bulk`);
  if (bulk !== undefined)
    expect(fieldsOf(bulk.flags)).toEqual(
      expect.arrayContaining(parametersOf(filters, who).map((wire) => `match.${wire}`)),
    );
});

test('a search is `keyword` or what it looks at, and `q` in an address', () => {
  const searches = lists.flatMap(({ filters }) =>
    Object.entries(filters).flatMap(([name, filter]) =>
      filter.kind !== 'time' && filter.url === 'q' ? [name] : [],
    ),
  );
  expect(searches.sort()).toEqual([...Array(5).fill('keyword'), 'order']);
});

/**
 * Parameters whose name means nothing else, as docs/adding-things.md counts: a filter is spelled in
 * one file.
 */
test.each(['quota_from', 'quota_to', 'unseen_since', 'test_failed'])(
  '%s is spelled where it is declared and nowhere else',
  (parameter) => {
    const spells = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path))
      .filter((path) => readFileSync(join(source, path), 'utf8').includes(parameter))
      .filter((path) => !/^core.entities.[a-z-]+-filters\.ts$/.test(path));
    expect(spells).toEqual([]);
  },
);
