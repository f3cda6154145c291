/** A stopped site with charges, for tests of the proof that its ledger is whole. */
import { openDirectly } from '../../src/cli/connection/connect-directly.ts';
import { composeApp } from '../../src/core/app.ts';
import { openDataFolder } from '../../src/core/config/data-folder.ts';
import { loadConfig } from '../../src/core/config/load.ts';
import { openFoundation } from '../../src/core/foundation.ts';
import { silentLogger } from '../../src/core/kernel/logger.ts';
import { toQuota } from '../../src/core/kernel/quota.ts';
import { type Run, runCli } from '../cli/run-cli.ts';
import { makeSite } from './data-folder-site.ts';

export interface LedgerSite {
  readonly folder: string;
  /** May name another database. */
  readonly environment: NodeJS.ProcessEnv;
}

const configOf = ({ folder, environment }: LedgerSite) =>
  loadConfig({ flags: { 'data-dir': folder }, environment, cwd: folder }).config;

/**
 * Users 2 and 3 with tokens 1 (limited) and 2 of the first, and 3 (unlimited) of the second; 4
 * charges of each token.
 */
export async function makeLedger(site: LedgerSite): Promise<void> {
  const { folder, environment } = site;
  await (await makeSite(folder, 2, environment)).use(async (client) => {
    for (const [user, unlimited_quota] of [
      ['user1', false],
      ['user1', true],
      ['user2', true],
    ] as const) {
      await client.userTokens.create({
        name: 't',
        user,
        unlimited_quota,
        remain_quota: unlimited_quota ? 0 : 800,
      });
    }
  });
  const config = configOf(site);
  const threads = environment['SQL_DSN'] === undefined;
  const foundation = await openFoundation({
    config,
    folder: openDataFolder(config),
    logger: silentLogger,
    version: 'test',
    threads,
  });
  const app = await composeApp(foundation);
  const { ledger } = foundation;
  for (let number = 0; number < 12; number += 1) {
    const tokenId = 1 + (number % 3);
    const hold = await ledger.hold({
      requestId: `r${number}`,
      userId: tokenId < 3 ? 2 : 3,
      tokenId,
      amount: toQuota(50),
    });
    await ledger.settle(hold, {
      amount: toQuota(20 + number),
      channelId: 0,
      log: null,
      rollup: null,
    });
  }
  await app.close();
}

/** `ledger verify` in both languages. */
export async function verifySite(
  site: LedgerSite,
  ...argv: string[]
): Promise<{ readonly en: Run; readonly zh: Run }> {
  const opened = await openDirectly(
    { ...configOf(site), logLevel: 'silent' },
    { language: 'en', makesSite: false },
  );
  try {
    const run = (lang: string) =>
      runCli(['ledger', 'verify', ...argv, '--lang', lang], { transport: opened.transport });
    return { en: await run('en'), zh: await run('zh') };
  } finally {
    await opened.close();
  }
}

/** The line of `ledger head`. */
export async function headOf(site: LedgerSite): Promise<string> {
  const opened = await openDirectly(
    { ...configOf(site), logLevel: 'silent' },
    { language: 'en', makesSite: false },
  );
  try {
    return (await runCli(['ledger', 'head'], { transport: opened.transport })).stdout.trim();
  } finally {
    await opened.close();
  }
}
