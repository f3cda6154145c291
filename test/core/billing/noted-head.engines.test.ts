/** The newest link in the data folder, and seals elsewhere (docs/rules/ledger.md#newest-link). */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createNotedHead, notedHeadPath } from '../../../src/core/billing/index.ts';
import { createSeals, type SealDeps } from '../../../src/core/billing/seals.ts';
import { nowSeconds } from '../../../src/core/kernel/clock.ts';
import type { Logger } from '../../../src/core/kernel/logger.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { createMovingClock } from '../../support/moving-clock.ts';
import { forEachEngineInTurn } from '../../support/storage.ts';
import { addUser, closeLedgersAfterEach, grant, openLedger } from './ledger-support.ts';

const base = mkdtempSync(join(tmpdir(), 'turnpike-head-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));
let folders = 0;
const newFolder = () => {
  folders += 1;
  return mkdtempSync(join(base, `${folders}-`));
};
const clock = createMovingClock(1_790_000_000_000);

/** What was logged as wrong. */
function listen(): { readonly logger: Logger; readonly said: string[] } {
  const said: string[] = [];
  const note = (_: object, text: string) => void said.push(text);
  return { logger: { ...silentLogger, error: note, warn: note }, said };
}

forEachEngineInTurn('the newest link', (engine) => {
  closeLedgersAfterEach();

  test('is noted when there is a new one, in a private file', async () => {
    const storage = await engine.open();
    const ledger = openLedger(storage);
    const dataDir = newFolder();
    const path = notedHeadPath(dataDir);
    const noted = createNotedHead({ dataDir, chains: storage.chains, clock, logger: silentLogger });
    expect(noted.read()).toBeUndefined();
    const userId = await addUser(storage);
    await grant(ledger, userId, 5);
    await noted.note();
    const first = noted.read();
    expect(first).toMatchObject({
      at: nowSeconds(clock),
      ledger: { id: 1 },
      token_allowances: { id: 0 },
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const written = statSync(path).ino;
    await noted.note();
    expect(statSync(path).ino).toBe(written);
    await grant(ledger, userId, 6);
    await noted.note();
    expect(noted.read()?.ledger).toMatchObject({ id: 2, start: first?.ledger.start });
  });

  test('stays as it is where the ledger has another one, until somebody removes the file', async () => {
    const storage = await engine.open();
    const ledger = openLedger(storage);
    const dataDir = newFolder();
    const { logger, said } = listen();
    const noted = createNotedHead({ dataDir, chains: storage.chains, clock, logger });
    const userId = await addUser(storage);
    await grant(ledger, userId, 5);
    await noted.note();
    const path = notedHeadPath(dataDir);
    const other = readFileSync(path, 'utf8').replace(/"link":"[^"]+"/, '"link":"another"');
    writeFileSync(path, other);
    await grant(ledger, userId, 5);
    await noted.note();
    await noted.note();
    expect(said).toEqual(['the ledger does not have what was noted as its newest link']);
    expect(readFileSync(path, 'utf8')).toBe(other);
    rmSync(path);
    await noted.note();
    expect(noted.read()?.ledger.id).toBe(2);
  });

  test('is noted later where the folder cannot be written', async () => {
    const storage = await engine.open();
    const dataDir = join(newFolder(), 'not-there');
    const { logger, said } = listen();
    await createNotedHead({ dataDir, chains: storage.chains, clock, logger }).note();
    expect(said).toEqual(['the newest link of the ledger could not be noted']);
  });

  test('is sealed once an hour, by webhook and in a file, and a minute after a failure', async () => {
    const storage = await engine.open();
    const ledger = openLedger(storage);
    const sealFile = join(newFolder(), 'seals.txt');
    const sent: string[] = [];
    let isDown = false;
    const sendSigned: SealDeps['sendSigned'] = async (body, target) => {
      expect(target).toEqual({ url: 'https://seals.example', secret: 'hush' });
      if (isDown) throw new Error('the receiver is away');
      sent.push(body);
    };
    const values: Readonly<Record<string, string>> = {
      'ledger.seal_url': 'https://seals.example',
      'ledger.seal_secret': 'hush',
    };
    const options = { get: (key: string) => values[key] } as unknown as SealDeps['options'];
    const seals = createSeals({ chains: storage.chains, options, sealFile, sendSigned, clock });
    const run = () =>
      Promise.allSettled(seals.jobs.map((job) => job.run(new AbortController().signal)));
    expect(seals.jobs.map((job) => job.interval())).toEqual([60, 60]);
    const lines = () =>
      existsSync(sealFile) ? readFileSync(sealFile, 'utf8').trim().split('\n') : [];

    const userId = await addUser(storage);
    await grant(ledger, userId, 5);
    await run();
    await clock.moveMinutes(59);
    await run();
    expect(sent).toEqual(lines());
    expect(lines()).toHaveLength(1);
    expect(JSON.parse(lines()[0] ?? '')).toMatchObject({ type: 'ledger_seal', ledger: { id: 1 } });
    await clock.moveMinutes(1);
    isDown = true;
    await grant(ledger, userId, 5);
    await run();
    expect([sent.length, lines().length]).toEqual([1, 2]);
    const at = nowSeconds(clock);
    expect(await seals.report()).toEqual([
      {
        target: 'webhook',
        state: { sealedAt: at - 3600, postingId: 1, triedAt: at, error: 'the receiver is away' },
      },
      { target: 'file', state: { sealedAt: at, postingId: 2, triedAt: at, error: '' } },
    ]);
    await clock.moveMinutes(1);
    isDown = false;
    await run();
    expect(sent).toHaveLength(2);
    expect((await seals.report())[0]?.state).toMatchObject({ postingId: 2, error: '' });
  });
});

test('without a place for them there are no seals', () => {
  const options = { get: () => '' } as unknown as SealDeps['options'];
  const sendSigned = async () => {};
  const seals = createSeals({
    chains: {} as SealDeps['chains'],
    options,
    sealFile: '',
    sendSigned,
    clock,
  });
  expect(seals.jobs.map((job) => job.interval())).toEqual([0, 0]);
});
