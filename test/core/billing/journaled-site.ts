import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { Ledger } from '../../../src/core/billing/index.ts';
import { systemIds } from '../../../src/core/config/system-ids.ts';
import { systemClock } from '../../../src/core/kernel/clock.ts';
import { type Logger, silentLogger } from '../../../src/core/kernel/logger.ts';
import { openDatabase } from '../../../src/core/open-database.ts';
import { openLedger } from '../../../src/core/open-ledger.ts';
import type { OpenStorage } from '../../../src/core/storage/open.ts';
import { testMasterKey } from '../../support/storage.ts';

export interface Site {
  readonly file: string;
  readonly storage: OpenStorage;
  readonly ledger: Ledger;
  /** Lines of the process log: text and fields. */
  readonly log: readonly [string, object][];
}

const folders: string[] = [];
const sites: Site[] = [];

/** Called at the top level of a file. */
export function closeSitesAfterEach(): void {
  afterEach(async () => {
    for (const site of [...sites]) await close(site);
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
}

export function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-charges-'));
  folders.push(folder);
  return join(folder, 'test.db');
}

/** As the gateway opens it; without threads as a command does. */
export async function open(file = newFile(), threads = true): Promise<Site> {
  const url = `sqlite:${file}`;
  const log: [string, object][] = [];
  const note = (fields: object, message: string) => void log.push([message, fields]);
  const logger: Logger = { ...silentLogger, info: note, error: note };
  const storage = await openDatabase({ url, masterKey: testMasterKey, threads });
  const ledger = await openLedger(storage, {
    url,
    durability: 'full',
    threads,
    clock: systemClock,
    ids: systemIds,
    logger,
  });
  const site = { file, storage, ledger, log };
  sites.push(site);
  return site;
}

export async function close(site: Site): Promise<void> {
  const place = sites.indexOf(site);
  if (place !== -1) sites.splice(place, 1);
  await site.ledger.close();
  await site.storage.close();
}
