/**
 * Ten thousand requests of fifty users under overlapping budgets, two processes on PostgreSQL, one
 * of which dies again and again (docs/rules/budgets.md#bound).
 */
import { expect, it } from 'vitest';
import { type BudgetWindow, type Ledger, planBatch } from '../../../src/core/billing/index.ts';
import { AppError } from '../../../src/core/kernel/errors.ts';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { createPostgresLedgerStore } from '../../../src/core/storage/ledger/postgres-store.ts';
import { neverEnds } from '../../../src/core/vocabulary/budgets.ts';
import { forEachEngine } from '../../support/storage.ts';
import {
  addUser,
  charge,
  closeLedgersAfterEach,
  dead,
  grant,
  holdFor,
  openLedger,
  poolOf,
} from './ledger-support.ts';

const requests = 10_000;
const users = 50;
const atOnce = 40;
const deaths = 8;

/** The same numbers in every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

forEachEngine('budgets under load', (engine) => {
  closeLedgersAfterEach();

  it.skipIf(engine.name !== 'postgres')(
    'no window is passed by more than one request, and nothing that was refused is charged',
    async () => {
      const storage = await engine.open({ poolSize: 10 });
      const pool = poolOf(storage);
      const random = createRandom(32);
      const living = openLedger(storage, { node: 'living' });
      const taker = createPostgresLedgerStore(pool, 'taker', planBatch);
      let name = 0;
      const startMortal = () => {
        name += 1;
        return openLedger(storage, { ...dead, node: `mortal ${name}` });
      };
      let mortal = startMortal();

      const ids: number[] = [];
      for (let index = 0; index < users; index += 1) {
        ids.push(await addUser(storage));
        await grant(living, ids.at(-1) ?? 0, 10_000_000);
      }
      /** Each user has one, five users share one, and all share one. */
      const windows: BudgetWindow[] = [];
      const budgetId = await storage.budgets.insert({
        userId: 1,
        owner: 'group',
        ownerId: 'default',
        amount: toQuota(0),
        createdTime: 1,
      });
      const addWindow = async (limit: number) => {
        const subject = String(windows.length);
        const row = await storage.budgets.openWindow({
          budgetId,
          revision: 0,
          subject,
          startsAt: 1,
          endsAt: neverEnds,
          isRolling: false,
          before: null,
        });
        const id = row?.id ?? 0;
        windows.push({ id, budget: subject, limit, refuses: true, endsAt: neverEnds });
      };
      for (let index = 0; index < users; index += 1) await addWindow(10_000 + random(20_000));
      for (let index = 0; index < users / 5; index += 1) await addWindow(60_000);
      await addWindow(700_000);
      const windowsOf = (user: number) =>
        [user, users + Math.floor(user / 5), windows.length - 1].map(
          (index) => windows[index] as BudgetWindow,
        );

      const spent = new Map<number, number>();
      /** By window: the most that a request cost beyond what it held there. */
      const beyond = new Map<number, number>();
      let charged = 0;
      const counts = { settled: 0, refused: 0, lost: 0 };
      let killed: Ledger | undefined;
      const serve = async (): Promise<void> => {
        const user = random(users);
        const full = 1 + random(900);
        const amount = random(full + 1);
        const ledger = random(2) === 0 ? living : mortal;
        try {
          const hold = await ledger.hold({
            ...holdFor(ids[user] ?? 0, 0, full, 1 + random(100)),
            windows: windowsOf(user),
          });
          // What a dead process held is never settled.
          if (ledger !== living && (ledger !== mortal || ledger === killed)) {
            counts.lost += 1;
            return;
          }
          if (random(10) === 0) return void (await ledger.release(hold));
          await ledger.settle(hold, charge(amount));
          counts.settled += 1;
          charged += amount;
          for (const held of hold.windows ?? []) {
            spent.set(held.id, (spent.get(held.id) ?? 0) + amount);
            const more = Math.max(0, amount - held.amount);
            beyond.set(held.id, Math.max(beyond.get(held.id) ?? 0, more));
          }
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          expect(['budget_exceeded', 'small_hold_busy']).toContain(error.code);
          counts.refused += 1;
        }
      };

      for (let round = 0; round < deaths; round += 1) {
        let left = requests / deaths;
        const work = async () => {
          while (left > 0) {
            left -= 1;
            await serve();
          }
        };
        const dying = work();
        killed = round % 2 === 0 ? undefined : mortal;
        await Promise.all([dying, ...Array.from({ length: atOnce - 1 }, work)]);
        const node = `mortal ${name}`;
        killed = undefined;
        mortal = startMortal();
        await pool.query('UPDATE holds SET expires_at = 0 WHERE node = $1', [node]);
        await taker.takeOverHolds();
      }

      expect(counts.settled).toBeGreaterThan(1000);
      expect(counts.refused).toBeGreaterThan(1000);
      expect(counts.lost).toBeGreaterThan(20);
      for (const { id, limit } of windows) {
        const row = await storage.budgets.findWindow(id);
        expect(row).toMatchObject({ spent: spent.get(id) ?? 0, held: 0 });
        expect(row?.spent).toBeLessThanOrEqual(limit + (beyond.get(id) ?? 0));
      }
      const { ok, drifts, sum } = await living.verify();
      expect({ ok, drifts }).toEqual({ ok: true, drifts: [] });
      expect(sum).toBe(users * 10_000_000 - charged);
    },
    300_000,
  );
});
