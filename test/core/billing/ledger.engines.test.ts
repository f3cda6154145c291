import { expect, it } from 'vitest';
import type { Hold } from '../../../src/core/billing/index.ts';
import { type Quota, toQuota } from '../../../src/core/kernel/quota.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { fc, runs } from '../../support/property.ts';
import { forEachEngineInTurn } from '../../support/storage.ts';
import {
  addToken,
  addUser,
  admitted,
  charge,
  closeLedgersAfterEach,
  codeOf,
  grant,
  holdFor,
  logFor,
  openLedger,
  redeemGuard,
} from './ledger-support.ts';

forEachEngineInTurn('ledger', (engine) => {
  closeLedgersAfterEach();

  it('admits exactly as many parallel requests as the wallet can pay for', async () => {
    const storage = await engine.open();
    const ledger = openLedger(storage);
    const userId = await addUser(storage);
    const tokenId = await addToken(storage, userId, 0, true);
    await grant(ledger, userId, 1000);
    const holds = await admitted(
      Array.from({ length: 200 }, () => ledger.hold(holdFor(userId, tokenId, 100))),
    );
    expect(holds).toHaveLength(10);
    await Promise.all(holds.map((hold) => ledger.settle(hold, charge(100))));
    expect((await storage.users.find(userId))?.quota).toBe(0);
    expect(await codeOf(ledger.hold(holdFor(userId, tokenId, 1)))).toBe('insufficient_user_quota');
    expect(await ledger.verify()).toMatchObject({ ok: true, drifts: [], sum: 0 });
  });

  it('charges usage beyond the hold in full, shows the debt and admits nothing more', async () => {
    const storage = await engine.open();
    const ledger = openLedger(storage);
    const userId = await addUser(storage);
    const tokenId = await addToken(storage, userId, 0, true);
    await grant(ledger, userId, 500);
    const hold = await ledger.hold(holdFor(userId, tokenId, 400));
    await ledger.settle(hold, { ...charge(2000), log: logFor(userId, hold.requestId, 2000) });
    expect((await storage.users.find(userId))?.quota).toBe(-1500);
    const [row] = await storage.logs.listBefore({ request: hold.requestId }, undefined, 2);
    expect(JSON.parse(row?.other ?? '')).toEqual({ a: 1, debt: 1500 });
    expect(row?.ledgerId).not.toBeNull();
    expect(await codeOf(ledger.hold(holdFor(userId, tokenId, 1)))).toBe('insufficient_user_quota');
    await grant(ledger, userId, 1501);
    expect(await codeOf(ledger.hold(holdFor(userId, tokenId, 1)))).toBe('ok');
    expect((await ledger.verify()).ok).toBe(true);
  });

  it('gives a posting the second of its row, though it is written in the next month', async () => {
    const storage = await engine.open();
    const ledger = openLedger(storage);
    const userId = await addUser(storage);
    const lastSecond = Date.UTC(2026, 9, 31, 23, 59, 59) / 1000;
    const log = { ...logFor(userId, 'row', 70), createdAt: lastSecond };
    await ledger.post({ userId, kind: 'top_up', amount: toQuota(700), reference: 'r', log });
    const hold = await ledger.hold(holdFor(userId, 0, 100));
    await ledger.settle(hold, { ...charge(70), log });
    const postings = await storage.statements.postingsAfter(userId, 0, 9);
    expect(postings.map(({ createdAt }) => createdAt)).toEqual([lastSecond, lastSecond]);
  });

  it('admits one request at a time on a smaller hold', async () => {
    const storage = await engine.open();
    const ledger = openLedger(storage);
    const userId = await addUser(storage);
    const tokenId = await addToken(storage, userId, 0, true);
    await grant(ledger, userId, 300);
    const first = await ledger.hold(holdFor(userId, tokenId, 32_000, 200));
    expect(first).toMatchObject({ small: true, amount: 200 });
    expect(await codeOf(ledger.hold(holdFor(userId, tokenId, 32_000, 200)))).toBe(
      'small_hold_busy',
    );
    await ledger.release(first);
    expect(await codeOf(ledger.hold(holdFor(userId, tokenId, 32_000, 200)))).toBe('ok');
  });

  it('keeps a limited token within its allowance and counts an unlimited one below zero', async () => {
    const storage = await engine.open();
    const ledger = openLedger(storage);
    const userId = await addUser(storage);
    const limited = await addToken(storage, userId, 150);
    const unlimited = await addToken(storage, userId, 0, true);
    await grant(ledger, userId, 10_000);
    const hold = await ledger.hold(holdFor(userId, limited, 100));
    expect(await codeOf(ledger.hold(holdFor(userId, limited, 100)))).toBe(
      'pre_consume_token_quota_failed',
    );
    await ledger.settle(hold, charge(150));
    expect(await codeOf(ledger.hold(holdFor(userId, limited, 1)))).toBe('token_exhausted');
    await ledger.setTokenAllowance(limited, toQuota(50), false);
    expect(await codeOf(ledger.hold(holdFor(userId, limited, 50)))).toBe('ok');
    await ledger.settle(await ledger.hold(holdFor(userId, unlimited, 70)), charge(70));
    expect(await storage.tokens.find(unlimited)).toMatchObject({ remainQuota: -70, usedQuota: 70 });
    expect(await storage.tokens.find(limited)).toMatchObject({ remainQuota: 50, usedQuota: 150 });
  });

  it('posts a reference once, however often and however parallel it is asked', async () => {
    const storage = await engine.open();
    const ledger = openLedger(storage);
    const userId = await addUser(storage);
    const posting = { userId, kind: 'top_up', amount: toQuota(70), reference: 'trade-1' } as const;
    const results = await Promise.all(Array.from({ length: 5 }, () => ledger.post(posting)));
    expect(results.filter((result) => result.posted)).toHaveLength(1);
    expect((await ledger.post(posting)).posted).toBe(false);
    expect((await ledger.balance(userId)).quota).toBe(70);
    expect((await storage.users.find(userId))?.quota).toBe(70);
  });

  it('moves the counters of user, token, channel and hour with the charge, and none of them for nothing', async () => {
    const storage = await engine.open();
    const ledger = openLedger(storage);
    const userId = await addUser(storage);
    const tokenId = await addToken(storage, userId, 5000);
    const [channelId = 0] = await storage.channels.insertMany([
      { type: 1, name: 'c', key: new Secret('k'), createdTime: 1, models: 'm', group: 'default' },
    ]);
    await grant(ledger, userId, 1000);
    const rollup = { modelName: 'm', username: 'u', hour: 3600, tokens: 7 };
    for (const amount of [30, 0, 12]) {
      const hold = await ledger.hold(holdFor(userId, tokenId, 100));
      await ledger.settle(hold, {
        ...charge(amount, channelId),
        rollup,
        log: logFor(userId, hold.requestId, amount),
      });
      const [row] = await storage.logs.listBefore({ request: hold.requestId }, undefined, 2);
      expect(row?.ledgerId === null).toBe(amount === 0);
    }
    expect(await storage.users.find(userId)).toMatchObject({
      quota: 958,
      usedQuota: 42,
      requestCount: 2,
      held: 0,
    });
    expect(await storage.tokens.find(tokenId)).toMatchObject({
      remainQuota: 4958,
      usedQuota: 42,
      held: 0,
    });
    expect((await storage.channels.find(channelId))?.usedQuota).toBe(42);
    expect(await storage.quotaData.list({ from: 0, to: 9999 })).toMatchObject([
      { userId, count: 3, quota: 42, tokenUsed: 21 },
    ]);
    expect(await ledger.verify()).toMatchObject({ ok: true, postings: 3, sum: 958 });
  });

  it('redeems a code once and leaves it to its first user', async () => {
    const storage = await engine.open();
    const ledger = openLedger(storage);
    const [first, second] = [await addUser(storage), await addUser(storage)];
    const [redemptionId = 0] = await storage.redemptions.insertMany([
      { userId: 1, key: new Secret('code'), name: 'n', quota: toQuota(70), createdTime: 1 },
    ]);
    const redeem = (userId: number) =>
      ledger.post({
        userId,
        kind: 'redemption',
        amount: toQuota(70),
        reference: String(redemptionId),
        guard: redeemGuard(redemptionId, userId),
      });
    expect(await Promise.all([redeem(first), redeem(second)])).toEqual([
      { posted: true, balance: 70 },
      { posted: false, balance: 0 },
    ]);
    expect(await storage.redemptions.find(redemptionId)).toMatchObject({
      status: 3,
      usedUserId: first,
      redeemedTime: 9,
    });
    expect(await ledger.verify()).toMatchObject({ ok: true, sum: 70 });
  });

  it('does not credit a code whose quota or expiry was edited after it was checked', async () => {
    const storage = await engine.open();
    const ledger = openLedger(storage);
    const userId = await addUser(storage);
    const [id = 0] = await storage.redemptions.insertMany([
      {
        userId: 1,
        key: new Secret('code'),
        name: 'n',
        quota: toQuota(70),
        expiredTime: 5,
        createdTime: 1,
      },
    ]);
    const redeem = (quota: number, expired_time: number) =>
      ledger.post({
        userId,
        kind: 'redemption',
        amount: toQuota(quota),
        reference: String(id),
        guard: { table: 'redemptions', id, from: 1, to: 3, unchanged: { quota, expired_time } },
      });
    expect((await redeem(80, 5)).posted).toBe(false);
    expect((await redeem(70, 6)).posted).toBe(false);
    expect(await redeem(70, 5)).toEqual({ posted: true, balance: 70 });
  });

  it('tells accounts that do not exist', async () => {
    const storage = await engine.open();
    const ledger = openLedger(storage);
    const userId = await addUser(storage);
    expect(await codeOf(ledger.hold(holdFor(99_999, 0, 1)))).toBe('not_found');
    expect(await codeOf(ledger.hold(holdFor(userId, 99_999, 1)))).toBe('token_unknown');
    expect(await codeOf(ledger.balance(99_999))).toBe('not_found');
    expect(await codeOf(grant(ledger, 99_999, 1))).toBe('not_found');
    expect(await codeOf(ledger.setTokenAllowance(99_999, toQuota(1), false))).toBe('token_unknown');
  });

  it('keeps what was answered while the database refuses, and lets nobody in meanwhile', async () => {
    const storage = await engine.open();
    let refuse = false;
    const ledger = openLedger(storage, {
      beforeSettle: () => {
        if (refuse) throw new Error('disk full');
      },
    });
    const userId = await addUser(storage);
    await grant(ledger, userId, 1000);
    const hold = await ledger.hold(holdFor(userId, 0, 100));
    refuse = true;
    const settled = ledger.settle(hold, charge(100));
    await expect.poll(() => codeOf(ledger.hold(holdFor(userId, 0, 1)))).toBe('ledger_unavailable');
    refuse = false;
    await settled;
    expect((await storage.users.find(userId))?.quota).toBe(900);
    expect((await ledger.verify()).ok).toBe(true);
  });

  it('sets a refused charge apart, takes it back and writes the others', async () => {
    const storage = await engine.open();
    const errors: object[] = [];
    const ledger = openLedger(storage, { onError: (fields) => errors.push(fields) });
    const userId = await addUser(storage);
    const tokenId = await addToken(storage, userId, 1000);
    await grant(ledger, userId, 1000);
    const holds = await Promise.all(
      Array.from({ length: 5 }, () => ledger.hold(holdFor(userId, tokenId, 100))),
    );
    const faults = [{}, { content: null as unknown as string }, {}, { useTime: 0.5 }, {}];
    const written = await Promise.all(
      holds.map((hold, index) =>
        codeOf(
          ledger.settle(hold, {
            ...charge(100),
            log: { ...logFor(userId, hold.requestId, 100), ...faults[index] },
          }),
        ),
      ),
    );
    expect(written).toEqual(['ok', 'ledger_refused', 'ok', 'ledger_refused', 'ok']);
    expect(errors).toMatchObject([
      {
        settlement: {
          kind: 'charge',
          requestId: holds[1]?.requestId,
          amount: 100,
          log: { promptTokens: 1 },
        },
      },
      {
        settlement: {
          kind: 'charge',
          requestId: holds[3]?.requestId,
          amount: 100,
          log: { promptTokens: 1 },
        },
      },
    ]);
    expect(await ledger.balance(userId)).toEqual({ quota: 700, held: 0 });
    expect(await storage.users.find(userId)).toMatchObject({
      quota: 700,
      usedQuota: 300,
      requestCount: 3,
    });
    expect(await codeOf(ledger.hold(holdFor(userId, tokenId, 701)))).toBe(
      'insufficient_user_quota',
    );
    expect(await codeOf(ledger.hold(holdFor(userId, tokenId, 700)))).toBe('ok');
    expect(await ledger.verify()).toMatchObject({ ok: true, postings: 4 });
  });

  it('refuses a posting and an allowance that cannot be, and changes nothing', async () => {
    const storage = await engine.open();
    const ledger = openLedger(storage);
    const userId = await addUser(storage);
    const tokenId = await addToken(storage, userId, 100);
    await grant(ledger, userId, 1000);
    expect(await codeOf(grant(ledger, userId, Number.MAX_SAFE_INTEGER))).toBe('balance_limit');
    expect(await codeOf(ledger.setTokenAllowance(tokenId, 0.5 as Quota, true))).toBe(
      'ledger_refused',
    );
    expect(await ledger.balance(userId)).toEqual({ quota: 1000, held: 0 });
    expect(await storage.tokens.find(tokenId)).toMatchObject({
      remainQuota: 100,
      unlimitedQuota: false,
    });
    expect(await codeOf(ledger.hold(holdFor(userId, tokenId, 101)))).toBe(
      'pre_consume_token_quota_failed',
    );
    expect(await codeOf(ledger.hold(holdFor(userId, tokenId, 100)))).toBe('ok');
  });

  it('stays exact under any order of holds, settlements, releases, postings and allowances', async () => {
    const storage = await engine.open();
    const action = fc.record({
      kind: fc.constantFrom('hold', 'settle', 'refused', 'release', 'grant', 'allowance'),
      amount: fc.integer({ min: 1, max: 400 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 40 }), async (actions) => {
        const ledger = openLedger(storage);
        const userId = await addUser(storage);
        let remain = 500;
        const tokenId = await addToken(storage, userId, remain);
        const open: Hold[] = [];
        const writes: Promise<unknown>[] = [];
        let balance = 0;
        for (const { kind, amount } of actions) {
          if (kind === 'grant') {
            await grant(ledger, userId, amount);
            balance += amount;
          } else if (kind === 'hold') {
            const held = open.reduce((sum, hold) => sum + hold.amount, 0);
            const hold = await ledger.hold(holdFor(userId, tokenId, amount)).catch(() => undefined);
            expect(hold !== undefined).toBe(Math.min(balance, remain) - held >= amount);
            if (hold !== undefined) open.push(hold);
          } else if (kind === 'allowance') {
            // Replaces what the charges before it left, committed or not.
            await ledger.setTokenAllowance(tokenId, toQuota(amount), false);
            remain = amount;
          } else {
            const hold = open.shift();
            if (hold === undefined) continue;
            if (kind === 'release') await ledger.release(hold);
            else if (kind === 'refused') {
              const log = {
                ...logFor(userId, hold.requestId, amount),
                content: null as unknown as string,
              };
              expect(await codeOf(ledger.settle(hold, { ...charge(amount), log }))).toBe(
                'ledger_refused',
              );
            } else {
              const settled = ledger.settle(hold, charge(amount));
              // In memory it counts at once; elsewhere with its transaction.
              if (engine.name === 'postgres') await settled;
              else writes.push(settled);
              balance -= amount;
              remain -= amount;
            }
          }
        }
        await Promise.all(writes);
        expect((await storage.users.find(userId))?.quota).toBe(balance);
        expect((await ledger.balance(userId)).quota).toBe(balance);
        expect((await storage.tokens.find(tokenId))?.remainQuota).toBe(remain);
        expect((await ledger.verify()).ok).toBe(true);
      }),
      runs(25),
    );
  });
});
