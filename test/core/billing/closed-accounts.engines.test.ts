/**
 * Charges that arrive after an account was closed, and changes of a token's allowance while it is
 * being charged.
 */
import { expect, it } from 'vitest';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { forEachEngineInTurn } from '../../support/storage.ts';
import {
  addToken,
  addUser,
  charge,
  closeLedgersAfterEach,
  codeOf,
  grant,
  holdFor,
  logFor,
  openLedger,
} from './ledger-support.ts';

const all = { offset: 0, limit: 100 };

forEachEngineInTurn('closed accounts', (engine) => {
  closeLedgersAfterEach();

  it('are charged for what was being answered when they were deleted, and logs and ledger agree', async () => {
    const storage = await engine.open();
    const ledger = openLedger(storage);
    const userId = await addUser(storage);
    const tokenId = await addToken(storage, userId, 1000);
    await grant(ledger, userId, 1000);
    const holds = await Promise.all(
      Array.from({ length: 4 }, () => ledger.hold(holdFor(userId, tokenId, 100))),
    );
    const settle = (index: number) => {
      const hold = holds[index];
      if (hold === undefined) throw new Error('no hold');
      return ledger.settle(hold, { ...charge(150), log: logFor(userId, hold.requestId, 150) });
    };
    await settle(0);
    await storage.transaction(async (inside) => {
      await inside.tokens.deleteByUser(userId);
      await inside.users.delete(userId);
    });
    await Promise.all([settle(1), settle(2), settle(3)]);
    const { items } = await storage.ledger.page({ userId }, all);
    expect(items.map(({ kind, amount, balanceAfter }) => [kind, amount, balanceAfter])).toEqual([
      ['charge', -150, 400],
      ['charge', -150, 550],
      ['charge', -150, 700],
      ['charge', -150, 850],
      ['grant', 1000, 1000],
    ]);
    const logs = (await storage.logs.page({ userId }, all)).items;
    expect(logs.map(({ ledgerId }) => ledgerId)).toEqual(items.slice(0, 4).map(({ id }) => id));
    expect((await storage.logs.stat({ userId }, 5)).quota).toBe(600);
    expect((await ledger.verify()).ok).toBe(true);
    expect(await codeOf(grant(ledger, userId, 5))).toBe('not_found');
  });

  it('are charged by several processes at once without a gap', async () => {
    const storage = await engine.open();
    const ledgers =
      engine.name === 'postgres'
        ? [openLedger(storage), openLedger(storage)]
        : [openLedger(storage)];
    const userId = await addUser(storage);
    const [first] = ledgers;
    if (first === undefined) throw new Error('no ledger');
    await grant(first, userId, 10_000);
    const held = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const ledger = ledgers[index % ledgers.length] ?? first;
        return { ledger, hold: await ledger.hold(holdFor(userId, 0, 100)) };
      }),
    );
    const settled = held.map(({ ledger, hold }) => ledger.settle(hold, charge(100)));
    await storage.users.delete(userId);
    await Promise.all(settled);
    const { items } = await storage.ledger.page({ userId }, all);
    expect(items.map(({ balanceAfter }) => balanceAfter).sort((a, b) => b - a)).toEqual(
      Array.from({ length: 31 }, (_, index) => 10_000 - index * 100),
    );
    expect(await storage.ledger.sumByUser(userId)).toBe(7000n);
  });

  it('may be banned or deactivated while they are charged', async () => {
    const storage = await engine.open();
    const ledger = openLedger(storage);
    const userId = await addUser(storage);
    const tokenId = await addToken(storage, userId, 1000);
    await grant(ledger, userId, 1000);
    const holds = [
      await ledger.hold(holdFor(userId, tokenId, 100)),
      await ledger.hold(holdFor(userId, tokenId, 100)),
    ];
    await storage.users.setStatus(userId, 1, 2);
    await storage.users.softDelete(userId, 9);
    await storage.tokens.softDelete(tokenId, 9);
    await Promise.all(holds.map((hold) => ledger.settle(hold, charge(100))));
    expect((await storage.users.find(userId))?.quota).toBe(800);
    expect((await ledger.verify()).ok).toBe(true);
  });
});

forEachEngineInTurn('allowances of tokens', (engine) => {
  closeLedgersAfterEach();

  it('are proven: remaining and used quota are what was granted, whatever was switched under load', async () => {
    const storage = await engine.open();
    const ledger = openLedger(storage);
    const userId = await addUser(storage);
    const tokenId = await addToken(storage, userId, 100_000);
    await grant(ledger, userId, 1_000_000);
    let charged = 0;
    const work = Array.from({ length: 60 }, async (_, index) => {
      const hold = await ledger.hold(holdFor(userId, tokenId, 200));
      charged += 100 + index;
      await ledger.settle(hold, charge(100 + index));
    });
    for (let turn = 0; turn < 20; turn += 1) {
      await ledger.setTokenAllowance(tokenId, null, turn % 2 === 0);
      await new Promise<void>((next) => setImmediate(next));
    }
    await Promise.all(work);
    expect(await storage.tokens.find(tokenId)).toMatchObject({
      remainQuota: 100_000 - charged,
      usedQuota: charged,
      unlimitedQuota: false,
    });
    await ledger.setTokenAllowance(tokenId, toQuota(7), false);
    expect(await ledger.verify()).toMatchObject({ ok: true, drifts: [] });
  });

  it('that do not add up are named by the verification', async () => {
    const storage = await engine.open();
    const ledger = openLedger(storage);
    const userId = await addUser(storage);
    const tokenId = await addToken(storage, userId, 100);
    // A write past the ledger.
    await storage.tokens.update(tokenId, { remainQuota: toQuota(8997) } as object);
    expect(await ledger.verify()).toMatchObject({
      ok: false,
      drifts: [
        { account: 'token', id: tokenId, name: 't', expected: 100, actual: 8997, drift: 8897 },
      ],
    });
  });
});
