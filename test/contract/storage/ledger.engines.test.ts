import { expect, test } from 'vitest';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { textOfBatch } from '../../../src/core/storage/ledger/settlement.ts';
import type { OpenStorage } from '../../../src/core/storage/open.ts';
import type { LedgerKind } from '../../../src/core/vocabulary/ledger-kinds.ts';
import { forEachEngineInTurn } from '../../support/storage.ts';

interface TestPosting {
  userId: number;
  kind: LedgerKind;
  amount: number;
  reference: string | null;
  at?: number;
}

/** Writes a posting past the ledger's rules, as a fault or another program would. */
async function write(
  storage: OpenStorage,
  { userId, kind, amount, reference, at = 10 }: TestPosting,
): Promise<void> {
  if (storage.postgres !== undefined) {
    await storage.postgres.query(
      `insert into ledger (user_id, kind, amount, balance_after, reference, created_at)
       select id, $2, $3::bigint, quota + $3::bigint, $4, $5 from users where id = $1`,
      [userId, kind, amount, reference, at],
    );
    await storage.postgres.query('update users set quota = quota + $2 where id = $1', [
      userId,
      amount,
    ]);
    return;
  }
  if (kind === 'charge') {
    const charge = {
      kind,
      requestId: reference ?? '',
      userId,
      tokenId: 0,
      channelId: 0,
      amount: -amount,
      at,
      log: null,
      rollup: null,
    };
    await storage.settle?.(textOfBatch([charge]));
    return;
  }
  await storage.settle?.(
    textOfBatch([
      { kind: 'posting', posting: kind, userId, amount, reference, at, log: null, guard: null },
    ]),
  );
}

const all = { offset: 0, limit: 100 };

forEachEngineInTurn('the ledger as it is read', (engine) => {
  async function open(): Promise<{ storage: OpenStorage; ann: number; bob: number }> {
    const storage = await engine.open();
    const insert = (username: string) =>
      storage.users.insert({
        username,
        passwordHash: new Secret(''),
        role: 1,
        status: 1,
        group: 'default',
        createdAt: 1,
      });
    return { storage, ann: await insert('ann'), bob: await insert('bob') };
  }

  test('pages, sums and finds postings', async () => {
    const { storage, ann, bob } = await open();
    await write(storage, {
      userId: ann,
      kind: 'opening',
      amount: 9_000_000_000_000_000,
      reference: 'user 1',
    });
    await write(storage, { userId: ann, kind: 'charge', amount: -7, reference: 'request', at: 20 });
    await write(storage, { userId: ann, kind: 'charge', amount: -8, reference: 'request', at: 30 });
    await write(storage, { userId: bob, kind: 'grant', amount: 5, reference: null });
    const page = await storage.ledger.page({ userId: ann }, { offset: 0, limit: 2 });
    expect(page.total).toBe(3);
    expect(page.items).toMatchObject([
      {
        kind: 'charge',
        amount: -8,
        balanceAfter: 8_999_999_999_999_985,
        reference: 'request',
        tokenId: null,
        createdAt: 30,
      },
      { kind: 'charge', amount: -7 },
    ]);
    expect(await storage.ledger.find(page.items[0]?.id ?? 0)).toEqual(page.items[0]);
    expect((await storage.ledger.page({ kind: 'grant' }, all)).items).toMatchObject([
      { userId: bob, reference: null },
    ]);
    expect((await storage.ledger.page({ from: 20, to: 20 }, all)).total).toBe(1);
    expect(await storage.ledger.findByReference('opening', 'user 1')).toMatchObject({
      userId: ann,
    });
    expect(await storage.ledger.findByReference('grant', 'user 1')).toBeNull();
    expect(await storage.ledger.sumByUser(ann)).toBe(8_999_999_999_999_985n);
    expect(await storage.ledger.sumByUser(999)).toBe(0n);
    expect(await storage.ledger.sumByKind(ann)).toEqual([
      { kind: 'charge', amount: -15n, count: 2 },
      { kind: 'opening', amount: 9_000_000_000_000_000n, count: 1 },
    ]);
    expect(await storage.ledger.sumByKind()).toHaveLength(3);
  });

  test('proves every balance, and names the account that drifted', async () => {
    const { storage, ann, bob } = await open();
    await write(storage, { userId: ann, kind: 'opening', amount: 100, reference: '1' });
    await write(storage, { userId: ann, kind: 'charge', amount: -30, reference: 'r' });
    expect(await storage.ledger.verify()).toEqual([]);
    expect((await storage.users.find(ann))?.quota).toBe(70);
    // A row that somebody put back from an old copy: its balance no longer is what was posted.
    await write(storage, { userId: bob, kind: 'grant', amount: 5, reference: 'x' });
    await storage.users.delete(bob);
    await storage.users.insert({
      id: bob,
      username: 'bob',
      passwordHash: new Secret(''),
      role: 1,
      status: 1,
      group: 'g',
      createdAt: 1,
    });
    expect(await storage.ledger.verify()).toEqual([
      { userId: bob, username: 'bob', quota: 0n, posted: 5n },
    ]);
  });

  test('takes a reference once per kind, a charge as often as it comes', async () => {
    const { storage, ann } = await open();
    await write(storage, { userId: ann, kind: 'top_up', amount: 5, reference: 'trade' });
    await write(storage, { userId: ann, kind: 'refund', amount: 5, reference: 'trade' });
    if (storage.postgres !== undefined) {
      await expect(
        write(storage, { userId: ann, kind: 'top_up', amount: 5, reference: 'trade' }),
      ).rejects.toThrow('ledger_reference_unique');
    } else {
      await write(storage, { userId: ann, kind: 'top_up', amount: 5, reference: 'trade' });
    }
    expect((await storage.users.find(ann))?.quota).toBe(10);
  });
});
