/**
 * A process that settles charges and kills itself: `journal-crash.ts DATABASE STEP NTH`. STEP is
 * something that the journal does, or the tables' next state (`applied`); at the NTH one the
 * process ends with SIGKILL, before the call, within it (`write`) or after it. Prints the id of
 * each charge that is committed.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [, , database = '', step = '', nth = '1'] = process.argv;
let left = Number(nth);
const real = { ...fs };
const dieAt = (name: string): void => {
  if (name !== step) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
};
const isJournal = (path: unknown): boolean => String(path).startsWith(`${database}-charges-`);
let removed = 0;

Object.assign(fs, {
  openSync: (path: string, ...rest: [string, number?]) => {
    const handle = real.openSync(path, ...rest);
    if (isJournal(path)) dieAt('create');
    return handle;
  },
  writeSync: (handle: number, bytes: Buffer, offset: number, length: number, position: number) => {
    if (step === 'write' && left === 1)
      real.writeSync(handle, bytes, offset, length >> 1, position);
    dieAt('write');
    const written = real.writeSync(handle, bytes, offset, length, position);
    dieAt('written');
    return written;
  },
  fdatasync: (handle: number, done: (error: Error | null) => void) =>
    real.fdatasync(handle, (error) => {
      dieAt('synced');
      done(error);
    }),
  rmSync: (path: string, options: object) => {
    // The first two are those of the start.
    if (isJournal(path) && removed >= 2) dieAt('remove');
    real.rmSync(path, options);
    if (isJournal(path) && removed++ >= 2) dieAt('removed');
  },
});
syncBuiltinESMExports();

const { openDatabase } = await import('../../src/core/open-database.ts');
const { openLedger } = await import('../../src/core/open-ledger.ts');
const { systemClock } = await import('../../src/core/kernel/clock.ts');
const { systemIds } = await import('../../src/core/config/system-ids.ts');
const { silentLogger } = await import('../../src/core/kernel/logger.ts');
const { toQuota } = await import('../../src/core/kernel/quota.ts');

const url = `sqlite:${database}`;
const storage = await openDatabase({ url, masterKey: Buffer.alloc(32), threads: true });
const ledger = await openLedger(storage, {
  url,
  durability: 'full',
  threads: true,
  clock: systemClock,
  ids: systemIds,
  logger: silentLogger,
});
for (let number = 0; number < 100; number += 1) {
  const requestId = `${process.pid}-${number}`;
  const hold = await ledger.hold({ requestId, userId: 1, tokenId: 0, amount: toQuota(1) });
  await ledger.settle(hold, { amount: toQuota(1), channelId: 0, log: null, rollup: null });
  real.writeSync(1, `${requestId}\n`);
  dieAt('committed');
  if (number % 20 === 10) {
    // In the middle of a transaction, or after it.
    const reading = storage.users.find(1);
    if (number > 50) await reading;
    dieAt('applied');
    await reading;
  }
}
await ledger.close();
await storage.close();
