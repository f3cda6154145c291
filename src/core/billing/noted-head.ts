/**
 * The newest links in a file of the data folder (docs/rules/ledger.md#newest-link): an end of the
 * ledger that is cut off, or written anew with links that fit, is not what is noted there.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { parseJson } from '../kernel/json.ts';
import type { Logger } from '../kernel/logger.ts';
import { replaceSmallFile } from '../storage/journal/small-file.ts';
import type { Storage } from '../storage/storage.ts';
import {
  findUnsealed,
  isSamePlace,
  type LedgerHead,
  readHead,
  readHeadFrom,
} from './ledger-head.ts';

export interface NotedHead {
  /** Undefined: nothing is noted, or it cannot be read. */
  read(): LedgerHead | undefined;
  /**
   * Notes the newest links where there are new ones. What does not agree with the ledger is never
   * replaced: it stays as evidence until somebody removes the file. Never rejects.
   */
  note(): Promise<void>;
}

export interface NotedHeadDeps {
  readonly dataDir: string;
  readonly chains: Storage['chains'];
  readonly clock: Clock;
  readonly logger: Logger;
}

export const notedHeadPath = (dataDir: string): string => join(dataDir, 'ledger-head.json');

export function createNotedHead({ dataDir, chains, clock, logger }: NotedHeadDeps): NotedHead {
  const path = notedHeadPath(dataDir);
  let isReported = false;

  const note = async (): Promise<void> => {
    const before = readNotedHead(path);
    if (before !== undefined) {
      const breaks = await findUnsealed(chains, [before]);
      if (breaks.length > 0) {
        if (!isReported)
          logger.error(
            { breaks, path },
            'the ledger does not have what was noted as its newest link',
          );
        isReported = true;
        return;
      }
    }
    isReported = false;
    const head = await readHead(chains, nowSeconds(clock));
    if (before === undefined || !isSamePlace(before, head))
      await replaceSmallFile(path, `${JSON.stringify(head)}\n`);
  };

  return {
    read: () => {
      try {
        return readNotedHead(path);
      } catch (error) {
        logger.warn({ error, path }, 'the noted link of the ledger cannot be read');
        return undefined;
      }
    },
    note: () =>
      note().catch((error: unknown) =>
        logger.warn({ error, path }, 'the newest link of the ledger could not be noted'),
      ),
  };
}

/** A file that is none of ours counts as absent. */
function readNotedHead(path: string): LedgerHead | undefined {
  try {
    return readHeadFrom(parseJson(readFileSync(path, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
