// Covers src/core/storage/entities.
import { expect, test } from 'vitest';
import { budgetFields } from '../../../src/core/entities/budget.ts';
import { channelFields } from '../../../src/core/entities/channel.ts';
import { rowName } from '../../../src/core/entities/convert.ts';
import type { Field, Fields } from '../../../src/core/entities/field.ts';
import { logFields } from '../../../src/core/entities/log.ts';
import { redemptionFields } from '../../../src/core/entities/redemption.ts';
import { tokenFields } from '../../../src/core/entities/token.ts';
import { userFields } from '../../../src/core/entities/user.ts';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { forEachEngineInTurn } from '../../support/storage.ts';

/** Fields that an insert leaves to the database, with what the declaration says they are then. */
function declaredDefaults(fields: Fields, given: object): Record<string, unknown> {
  const stored = Object.entries(fields).filter(([, field]) => field.stored !== false);
  const entries = stored.map(([name, field]) => [rowName(name), field] as const);
  const left = entries.filter(
    ([name, field]) => !(name in given) && ('default' in field || field.nullable),
  );
  return Object.fromEntries(
    left.map(([name, { default: value }]: readonly [string, Field]) => [name, value ?? null]),
  );
}

forEachEngineInTurn('declared fields', (engine) => {
  test('have the defaults of their columns', async () => {
    const { users, tokens, channels, redemptions, logs, budgets } = await engine.open();
    const row = { userId: 1, createdAt: 5, type: 2, content: 'c' };
    expect(await logs.find(await logs.insert(row))).toMatchObject(declaredDefaults(logFields, row));
    const token = { userId: 1, key: new Secret('k'), name: 'n', createdTime: 5 };
    expect(await tokens.find(await tokens.insert(token))).toMatchObject(
      declaredDefaults(tokenFields, token),
    );
    const channel = { type: 1, key: new Secret('k'), name: 'n', models: 'm', createdTime: 5 };
    const [channelId = 0] = await channels.insertMany([channel]);
    expect(await channels.find(channelId)).toMatchObject(declaredDefaults(channelFields, channel));
    const user = {
      username: 'u',
      passwordHash: new Secret('h'),
      role: 1,
      status: 1,
      group: 'g',
      createdAt: 5,
    };
    const { role: _role, status: _status, group: _group, createdAt: _createdAt, ...given } = user;
    expect(await users.find(await users.insert(given as typeof user))).toMatchObject(
      declaredDefaults(userFields, given),
    );
    const code = { userId: 1, key: new Secret('k'), name: 'n', quota: toQuota(5), createdTime: 5 };
    const budget = {
      userId: 1,
      owner: 'user',
      ownerId: '1',
      amount: toQuota(5),
      createdTime: 5,
    };
    expect(await budgets.find(await budgets.insert(budget))).toMatchObject(
      declaredDefaults(budgetFields, budget),
    );
    const [id = 0] = await redemptions.insertMany([code]);
    expect(await redemptions.find(id)).toMatchObject(declaredDefaults(redemptionFields, code));
  });
});
