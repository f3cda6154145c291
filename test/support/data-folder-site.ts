/**
 * A site on a data folder, made by its own calls and then closed, for tests of commands that work
 * on the folder.
 */
import { openDirectly } from '../../src/cli/connection/connect-directly.ts';
import { loadConfig } from '../../src/core/config/load.ts';
import { type Client, createClient } from '../../src/core/contract/client.ts';

export interface FolderSite {
  /** Runs work on the folder, under its lock. */
  use<T>(work: (client: Client) => Promise<T>): Promise<T>;
}

export const rootPassword = 'the root password';

/** The site in a folder; `environment` may name another database. */
export function openSite(folder: string, environment: NodeJS.ProcessEnv = {}): FolderSite {
  const { config } = loadConfig({ flags: { 'data-dir': folder }, environment, cwd: folder });
  return {
    async use(work) {
      const opened = await openDirectly(
        { ...config, logLevel: 'silent' },
        { language: 'en', makesSite: true },
      );
      try {
        return await work(createClient(opened.transport));
      } finally {
        await opened.close();
      }
    },
  };
}

/** Sets a site up, with users who have a balance. */
export async function makeSite(
  folder: string,
  users = 3,
  environment: NodeJS.ProcessEnv = {},
): Promise<FolderSite> {
  const site = openSite(folder, environment);
  await site.use(async (client) => {
    await client.system.setup({
      username: 'root',
      password: rootPassword,
      confirmPassword: rootPassword,
      SelfUseModeEnabled: false,
      DemoSiteEnabled: false,
      SiteLanguage: 'en',
    });
    for (let number = 1; number <= users; number++) {
      await client.user.create({
        username: `user${number}`,
        password: `password ${number}`,
        quota: 1000 * number,
      });
    }
    await client.option.set({ key: 'SMTPToken', value: 'the hidden value' });
  });
  return site;
}
