import { expect, test } from 'vitest';
import type { Guard } from '../../../../src/core/storage/ledger/guards.ts';
import type { Settlement, SettlementResult } from '../../../../src/core/storage/ledger/settlement.ts';
import {
  packResults,
  packSettlements,
  unpackResults,
  unpackSettlements,
} from '../../../../src/core/storage/ledger/settlement-codec.ts';

const charge = (seed: number): Settlement => ({
  kind: 'charge',
  requestId: `request-${seed}`,
  userId: seed + 1,
  tokenId: seed + 2,
  channelId: seed + 3,
  amount: seed + 4,
  at: seed + 5,
  log: {
    userId: seed + 6,
    username: `user-${seed}`,
    createdAt: seed + 7,
    type: seed + 8,
    content: `content-${seed}`,
    tokenName: `token-${seed}`,
    tokenId: seed + 9,
    modelName: `model-${seed}`,
    quota: seed + 10,
    promptTokens: seed + 11,
    completionTokens: seed + 12,
    useTime: seed + 13,
    isStream: seed % 2 === 0,
    channelId: seed + 14,
    group: `group-${seed}`,
    requestId: `log-${seed}`,
    other: `{"seed":${seed}}`,
  },
  rollup: {
    modelName: `rolled-${seed}`,
    username: `named-${seed}`,
    hour: seed + 15,
    tokens: seed + 16,
    cost: seed === 200 ? undefined : seed + 17,
  },
});

const guard: Guard = { table: 'tasks', id: 4, from: 'SUBMITTED', to: 'FAILURE', unchanged: { quota: 5 }, set: { quota: 0 } };

test('settlements survive the crossing, each kind of them in its place', () => {
  const withoutLog = { ...charge(300), log: null } as Settlement;
  const batch: readonly Settlement[] = [
    charge(100),
    { kind: 'release', requestId: 'r', userId: 1, tokenId: 0 },
    charge(200),
    withoutLog,
    { kind: 'allowance', tokenId: 1, remainQuota: null, unlimited: true, at: 2 },
    {
      kind: 'posting',
      posting: 'top_up',
      userId: 1,
      amount: -5,
      reference: null,
      at: 3,
      log: null,
      guard: null,
    },
    { ...charge(350), guard } as Settlement,
    {
      kind: 'refund',
      userId: 1,
      charges: [{ amount: 5, tokenId: 2, channelId: 3, rollup: null }],
      reference: 'task:4',
      at: 5,
      log: null,
      guard,
    },
    charge(400),
  ];
  expect(unpackSettlements(structuredClone(packSettlements(batch)))).toStrictEqual(batch);
});

test('results survive the crossing, refusals among them', () => {
  const results: readonly SettlementResult[] = [
    { done: true, balance: -7 },
    { done: true, balance: 7, remain: 3 },
    { done: true, balance: 8, remains: { 2: 5 } },
    { done: false, balance: 0, refused: 'a constraint failed' },
    { done: false, balance: 12 },
    { done: false, balance: 3, refused: 'too much', overLimit: true },
  ];
  expect(unpackResults(structuredClone(packResults(results)))).toStrictEqual(results);
});
