/** Runs commands on a data folder without a running gateway: the same handlers without a socket, holding the folder's lock. */
import { createApp } from '../../core/app.ts';
import { openDataFolder } from '../../core/config/data-folder.ts';
import { lockDataFolder } from '../../core/config/data-lock.ts';
import { makeFolder } from '../../core/config/make-folder.ts';
import type { Config } from '../../core/config/schema.ts';
import type { Transport } from '../../core/contract/client.ts';
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
 * Throws AppError data_folder_locked when another command or a starting gateway has locked the folder, site_missing when it has no
 * site.
 */
export async function openDirectly(config: Config, { language, makesSite }: DirectOptions): Promise<DirectConnection> {
  if (makesSite) makeFolder(config.dataDir);
  else requireSite(config);
  const lock = lockDataFolder(config.dataDir); // may replace the key file: read it afterwards
  try {
    const folder = openDataFolder(config);
    const log = openProcessLog(config);
    const app = await createApp({ config, folder, logger: log.logger, version, threads: false });
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
