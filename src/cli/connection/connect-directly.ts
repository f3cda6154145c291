/**
 * Runs commands on a data folder without a running gateway: the same handlers without a socket,
 * holding the folder's lock.
 */
import { createApp } from '../../core/app.ts';
import type { Config } from '../../core/config/schema.ts';
import type { Transport } from '../../core/contract/client.ts';
import { openSite } from '../../core/maintenance/open-site.ts';
import { requireSite } from '../../core/maintenance/site-database.ts';
import { createLocalTransport } from '../../server/local-client.ts';
import type { Language } from '../base/text.ts';
import { version } from '../base/version.ts';
import { openProcessLog } from './process-log.ts';

export interface DirectConnection {
  readonly transport: Transport;
  close(): Promise<void>;
}

export interface DirectOptions {
  readonly language: Language;
  /** True: a folder without a site gets a new one. */
  readonly makesSite: boolean;
}

/**
 * A database of an earlier version is refused: only `serve` and `migrate` change its schema. Throws
 * AppError data_folder_locked when another command or a starting gateway has locked the folder,
 * site_missing when it has no site, and what {@link openSite} throws.
 */
export async function openDirectly(
  config: Config,
  { language, makesSite }: DirectOptions,
): Promise<DirectConnection> {
  if (!makesSite) requireSite(config);
  const { folder, lock } = await openSite(config, { migrates: false });
  try {
    const log = openProcessLog(config);
    const app = await createApp({
      config,
      folder,
      logger: log.logger,
      version,
      threads: false,
      serves: false,
    });
    return {
      transport: createLocalTransport(app, undefined, language),
      close: async () => {
        await app.close();
        await log.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
