/** The whole gateway in this process, on its own data folder, set up and ready for requests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProviderRegistry } from '../../src/core/canonical/registry.ts';
import { openDataFolder } from '../../src/core/config/data-folder.ts';
import { readGatewayFile } from '../../src/core/config/gateway-file.ts';
import { loadConfig } from '../../src/core/config/load.ts';
import { type Client, createClient, layOutCall } from '../../src/core/contract/client.ts';
import { type Logger, silentLogger } from '../../src/core/kernel/logger.ts';
import { startGateway } from '../../src/server/start.ts';
import { copyMigratedFile } from './migrated-file.ts';
import './lasting-models.ts';
import { countUse } from './usage.ts';

export interface TestGateway {
  readonly url: string;
  readonly dataDir: string;
  /** A client with root rights. */
  readonly client: Client;
  /** Adds a channel of a type and returns its id. */
  addChannel(
    fields: { type: number; baseUrl: string; models: string } & Record<string, unknown>,
  ): Promise<number>;
  /** Adds a user with this quota and a token; the key includes `sk-`. */
  addCustomer(
    quota: number,
    token?: Record<string, unknown>,
  ): Promise<{ userId: number; tokenId: number; key: string; username: string }>;
  /** Sets an option. */
  set(key: string, value: string | number | boolean | object): Promise<void>;
  /** Stops the gateway and starts it again on its data folder, at another address. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

let serial = 0;

export async function startTestGateway(
  environment: Record<string, string> = {},
  providers?: ProviderRegistry,
  drainMs?: number,
  logger: Logger = silentLogger,
  accessLog?: (line: string) => void,
): Promise<TestGateway> {
  const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
  const limits = { GLOBAL_API_RATE_LIMIT_ENABLE: 'false', CRITICAL_RATE_LIMIT_ENABLE: 'false' };
  const { config } = loadConfig({
    flags: { 'data-dir': dataDir, port: 0, durability: 'normal' },
    environment: { SETUP_TOKEN: 'TESTAB', ...limits, ...environment },
    cwd: dataDir,
  });
  openDataFolder(config);
  if (config.databaseUrl === '') await copyMigratedFile(config.sqlitePath);
  const start = () => {
    countUse('gateway');
    return startGateway(config, { logger, version: 'test', providers, drainMs, accessLog });
  };
  let gateway = await start();
  // Every start writes a new one.
  const readKey = () => readGatewayFile(dataDir)?.key.reveal() ?? '';
  let key = readKey();
  let rootId = 0;
  const client = createClient(async (call, input) => {
    const { method, path, body } = layOutCall(call, input);
    const reply = await fetch(gateway.url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'new-api-user': String(rootId),
        'accept-language': 'en',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const total = reply.headers.get('x-total-count');
    return {
      status: reply.status,
      body: await reply.json(),
      total: total === null ? undefined : Number(total),
    };
  });
  const account = { username: 'root', password: 'root-password' };
  await client.system.setup({
    ...account,
    confirmPassword: account.password,
    setup_token: 'TESTAB',
    SiteLanguage: 'zh',
  });
  rootId = (await client.auth.info()).id;
  return {
    get url() {
      return gateway.url;
    },
    restart: async () => {
      await gateway.close();
      gateway = await start();
      key = readKey();
    },
    dataDir,
    client,
    addChannel: async ({ type, baseUrl, models, ...fields }) => {
      serial += 1;
      const { ids } = await client.channel.create({
        name: `channel ${serial}`,
        type,
        key: 'upstream-key',
        base_url: baseUrl,
        models,
        ...fields,
      });
      return ids[0] ?? 0;
    },
    addCustomer: async (quota, token = {}) => {
      serial += 1;
      const username = `customer${serial}`;
      const { id } = await client.user.create({ username, password: 'customer-password', quota });
      const created = await client.userTokens.create({
        name: 'test',
        unlimited_quota: true,
        ...token,
        user: username,
      });
      return { userId: id, tokenId: created.id, key: `sk-${created.key}`, username };
    },
    set: async (name, value) => {
      await client.option.set({
        key: name,
        value: typeof value === 'object' ? JSON.stringify(value) : value,
      });
    },
    close: async () => {
      await gateway.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
