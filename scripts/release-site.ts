/**
 * Writes a small site of this version as a backup, `test/fixtures/sites/<version>.backup`: tests
 * migrate the sites of all releases (docs/releasing.md). `npm run release:site`.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { openDirectly } from '../src/cli/connection/connect-directly.ts';
import { loadConfig } from '../src/core/config/load.ts';
import { createClient } from '../src/core/contract/client.ts';
import { backupSite } from '../src/core/maintenance/backup.ts';

const version = process.argv[2] ?? packageJson.version;
const sites = join(import.meta.dirname, '../test/fixtures/sites');
const target = join(sites, `${version}.backup`);
if (existsSync(target)) throw new Error(`${target} is there: a released site never changes`);
mkdirSync(sites, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), 'turnpike-release-'));
const { config } = loadConfig({
  flags: { 'data-dir': folder },
  environment: { LOG_LEVEL: 'silent' },
  cwd: folder,
});
const opened = await openDirectly(config, { language: 'en', makesSite: true });
const client = createClient(opened.transport);
const password = 'the root password';
await client.system.setup({
  username: 'root',
  password,
  confirmPassword: password,
  SelfUseModeEnabled: false,
  DemoSiteEnabled: false,
  SiteLanguage: 'en',
});
for (const number of [1, 2, 3])
  await client.user.create({
    username: `user${number}`,
    password: `password ${number}`,
    quota: 1000 * number,
  });
await client.user.manage({ id: 4, action: 'delete' });
await client.channel.create({
  type: 1,
  name: 'Main',
  key: 'sk-of-the-vendor',
  models: 'gpt-4o',
  group: 'default',
});
await client.token.create({ name: 'first' });
await client.redemption.create({ name: 'codes', quota: 500, count: 2 });
await client.option.set({ key: 'SMTPToken', value: 'the hidden value' });
await client.option.set({ key: 'RetryTimes', value: '4' });
await opened.close();
await backupSite({
  config,
  version,
  target,
  withKeys: true,
  withFiles: false,
  now: Math.floor(Date.now() / 1000),
});
rmSync(folder, { recursive: true });
process.stdout.write(`wrote ${target}\n`);
