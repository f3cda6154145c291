/** The chain of postings and allowances (docs/rules/ledger.md#chain). */
import { describe, expect, it } from 'vitest';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import type { OpenStorage } from '../../../src/core/storage/open.ts';
import { linkedTables } from '../../../src/core/vocabulary/ledger-chain.ts';
import { forEachEngineInTurn } from '../../support/storage.ts';
import {
  addToken,
  addUser,
  charge,
  closeLedgersAfterEach,
  grant,
  holdFor,
  openLedger,
} from './ledger-support.ts';

const allRows = async (storage: OpenStorage, table: (typeof linkedTables)[number]) =>
  storage.chains.rows(table, 0, 10_000);

function newToken(userId: number, number: number) {
  const key = new Secret(`many${number}`.padEnd(48, 'y'));
  return {
    userId,
    key,
    name: 'm',
    createdTime: 1,
    remainQuota: toQuota(number),
    unlimitedQuota: false,
  };
}

forEachEngineInTurn('the chain of the ledger', (engine) => {
  closeLedgersAfterEach();

  it('has every posting and allowance, whoever writes it and however many together', async () => {
    const storage = await engine.open();
    const ledger = openLedger(storage);
    expect((await ledger.verify()).chain).toEqual({
      linked: 0,
      earlier: 0,
      notedAt: null,
      breaks: [],
    });
    const userId = await addUser(storage);
    const tokens = [
      await addToken(storage, userId, 5000),
      await addToken(storage, userId, 0, true),
    ];
    await storage.tokens.insertMany([
      newToken(userId, 3),
      newToken(userId, 0),
      newToken(userId, 5),
    ]);
    await grant(ledger, userId, 5000);
    const settle = async (tokenId: number, amount: number) => {
      await ledger.settle(await ledger.hold(holdFor(userId, tokenId, 50)), charge(amount));
    };
    await settle(0, 7);
    await Promise.all(
      Array.from({ length: 30 }, (_, number) => settle(tokens[number % 2] ?? 0, number)),
    );
    await ledger.setTokenAllowance(tokens[0] ?? 0, toQuota(40), false);
    await ledger.post({
      userId,
      kind: 'top_up',
      amount: toQuota(5),
      reference: 'a “reference” \ud800 的',
    });
    await ledger.drain();
    const other = await addUser(storage);
    await storage.imports.post(
      [{ userId: other, kind: 'import', amount: 12, balanceAfter: 12, reference: 'import:x' }],
      5,
    );
    await storage.imports.insert('tokens', [importedToken(other)]);
    await settle(tokens[1] ?? 0, 3);

    const { ok, drifts, chain, postings } = await ledger.verify();
    expect({ ok, drifts }).toEqual({ ok: true, drifts: [] });
    expect(chain).toMatchObject({ linked: postings, earlier: 0, breaks: [] });
    for (const table of linkedTables) {
      const rows = await allRows(storage, table);
      expect(new Set(rows.map(({ link }) => link)).size).toBe(rows.length);
      expect(rows.every(({ link }) => /^\.?[A-Za-z0-9+/]{24}$/.test(link ?? ''))).toBe(true);
      expect(await storage.chains.end(table)).toMatchObject({
        lastId: rows.at(-1)?.id,
        link: rows.at(-1)?.link,
      });
    }
    // Thirty charges at once were several groups or one, but not thirty.
    const groups = (await allRows(storage, 'ledger')).filter(({ link }) =>
      link?.startsWith('.'),
    ).length;
    expect(groups).toBeLessThan(postings - 5);
  });

  it('and used quota of tokens hold where several tokens paid for what is refunded, and where counters stop', async () => {
    const storage = await engine.open();
    const ledger = openLedger(storage);
    const userId = await addUser(storage);
    const tokens = [await addToken(storage, userId, 500), await addToken(storage, userId, 500)];
    await grant(ledger, userId, 5000);
    const paid = [30, 20, 10];
    for (const [index, amount] of paid.entries()) {
      await ledger.settle(
        await ledger.hold(holdFor(userId, tokens[index % 2] ?? 0, 50)),
        charge(amount),
      );
    }
    await storage.tasks.insert({
      userId,
      taskId: 't',
      platform: 'suno',
      createdAt: 1,
      status: 'SUBMITTED',
    });
    const charges = paid.map((amount, index) => ({
      amount: toQuota(amount),
      tokenId: tokens[index % 2] ?? 0,
      channelId: 0,
      rollup: null,
    }));
    const guard = { table: 'tasks', id: 1, from: 'SUBMITTED', to: 'FAILURE' } as const;
    const log = null as never;
    expect(await ledger.refund({ userId, charges, reference: 'task:1', guard, log })).toBe(true);
    expect(await storage.tokens.find(tokens[0] ?? 0)).toMatchObject({
      usedQuota: 0,
      remainQuota: 500,
    });
    expect(await storage.tokens.find(tokens[1] ?? 0)).toMatchObject({
      usedQuota: 0,
      remainQuota: 500,
    });
    expect(await ledger.verify()).toMatchObject({ ok: true, drifts: [], chain: { breaks: [] } });
  });

  describe.skipIf(engine.name !== 'postgres')('of several processes', () => {
    it('is one: ids are in its order, and nobody deadlocks', async () => {
      const url = await engine.freshUrl();
      const storages = [
        await engine.open({ url }),
        await engine.open({ url }),
        await engine.open({ url }),
      ];
      const [storage] = storages;
      if (storage === undefined) return;
      const userIds = await Promise.all(Array.from({ length: 6 }, () => addUser(storage)));
      const ledgers = storages.map((one) => openLedger(one));
      for (const userId of userIds)
        await grant(ledgers[0] as (typeof ledgers)[number], userId, 100_000);
      const seen: number[] = [];
      const look = async () => {
        const rows = await storage.chains.rows('ledger', seen.at(-1) ?? 0, 1000);
        seen.push(...rows.map(({ id }) => id));
      };
      const work = ledgers.map(async (ledger, process) => {
        for (let round = 0; round < 15; round += 1) {
          const tokenIds = await Promise.all(
            userIds.map((userId) => addToken(storages[process] ?? storage, userId, 1000 + round)),
          );
          await Promise.all(
            userIds.map(async (userId, index) => {
              const hold = await ledger.hold(holdFor(userId, tokenIds[index] ?? 0, 10));
              await ledger.settle(hold, {
                ...charge(3, 1),
                rollup: { modelName: `m${round % 3}`, username: 'u', hour: 3600, tokens: 1 },
              });
            }),
          );
          await ledger.setTokenAllowance(tokenIds[0] ?? 0, toQuota(round), false);
          if (process === 0) await look();
        }
      });
      await Promise.all(work);
      await look();
      const { ok, chain, postings } = await (ledgers[1] as (typeof ledgers)[number]).verify();
      expect({ ok, breaks: chain.breaks }).toEqual({ ok: true, breaks: [] });
      expect(chain.linked).toBe(postings);
      expect(postings).toBe(6 + 3 * 15 * 6);
      // Nothing became visible before something that was there already.
      expect(seen).toHaveLength(postings);
    });
  });
});

function importedToken(userId: number) {
  return {
    id: 77,
    user_id: userId,
    key: 'imported'.padEnd(48, 'z'),
    name: 'i',
    status: 1,
    created_time: 5,
    accessed_time: 5,
    expired_time: -1,
    remain_quota: 9,
    unlimited_quota: 0,
    used_quota: 4,
  };
}
