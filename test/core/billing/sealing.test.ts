/**
 * The whole app sends the newest link of its ledger to the places that are set
 * (docs/rules/ledger.md#seals).
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/core/config/load.ts';
import { createClient } from '../../../src/core/contract/client.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { createLocalTransport } from '../../../src/server/local-client.ts';
import { freshHome, openApp } from '../../support/app.ts';
import { createMovingClock, passMinutes } from '../../support/moving-clock.ts';
import { startUpstream } from '../../support/upstream.ts';

test('webhook and file get it within two minutes; an address that the guard refuses is reported', async () => {
  const receiver = await startUpstream();
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-sealing-'));
  const sealFile = join(folder, 'seals.txt');
  const clock = createMovingClock(Date.UTC(2026, 10, 20, 12));
  const { config } = loadConfig({
    environment: { LEDGER_SEAL_FILE: sealFile, FETCH_ALLOW_HOSTS: '127.0.0.1' },
    cwd: '/nonexistent',
    home: freshHome(),
  });
  const app = await openApp({
    config,
    clock,
    logger: silentLogger,
    version: 'test',
    threads: false,
    databaseUrl: 'sqlite::memory:',
    folder: { cryptoSecret: new Secret('a master key that guards nothing') },
  });
  try {
    const operator = createClient(createLocalTransport(app, undefined, 'en'));
    const password = 'a long password';
    await operator.system.setup({
      username: 'root',
      password,
      confirmPassword: password,
      SiteLanguage: 'en',
    });
    await operator.option.set({ key: 'ledger.seal_url', value: `${receiver.url}/seal` });
    await operator.option.set({ key: 'ledger.seal_secret', value: 'hush' });
    app.jobs.start();
    await passMinutes(2, clock, app.jobs);
    expect(receiver.requests).not.toEqual([]);
    // The file is there before its first line is whole.
    const sealed = () => (existsSync(sealFile) ? readFileSync(sealFile, 'utf8') : '');
    await expect.poll(sealed).toContain('\n');
    const [request] = receiver.requests;
    expect(request?.headers).toMatchObject({ authorization: 'Bearer hush' });
    expect(request?.json).toMatchObject({
      type: 'ledger_seal',
      ledger: { id: expect.any(Number), link: expect.any(String) },
    });
    const seal = JSON.parse(sealed().split('\n')[0] ?? '');
    expect(await operator.ledger.checkSeals({ seals: [seal] })).toEqual({ breaks: [] });

    // A seal of a time to come, by a clock that was ahead, keeps none back.
    const ahead = Math.floor(clock.now() / 1000) + 365 * 86_400;
    const state = { sealedAt: ahead, postingId: 1, triedAt: ahead, error: '' };
    await app.storage.chains.noteSeal('webhook', state);
    await passMinutes(3, clock, app.jobs);
    expect(receiver.requests).toHaveLength(2);

    await operator.option.set({ key: 'ledger.seal_url', value: 'https://10.0.0.1/seal' });
    await clock.moveMinutes(58);
    await passMinutes(3, clock, app.jobs);
    const jobs = await operator.jobs.list();
    expect(jobs.find(({ name }) => name === 'ledger-seal-webhook')?.last_error).toContain(
      'webhook_url_invalid',
    );
    const { items } = await operator.doctor.examine();
    expect(items.find(({ id }) => id === 'ledger-seals')?.message).toContain(
      'does not reach ledger.seal_url: webhook_url_invalid',
    );
  } finally {
    await app.close();
    await receiver.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
