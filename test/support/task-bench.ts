/**
 * The core with its relay behind a socket, on a database that outlives it, and a clock that is
 * moved by hand.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadConfig } from '../../src/core/config/load.ts';
import type { Client } from '../../src/core/contract/client.ts';
import { createClient } from '../../src/core/contract/client.ts';
import { silentLogger } from '../../src/core/kernel/logger.ts';
import { Secret } from '../../src/core/kernel/secret.ts';
import { createLocalTransport } from '../../src/server/local-client.ts';
import {
  createTestClock,
  freshHome,
  type OpenApp,
  openApp,
  type TestClock,
  testPassword,
} from './app.ts';
import { newMigratedFile } from './migrated-file.ts';

export interface TaskBench {
  app: OpenApp;
  readonly clock: TestClock;
  /** A client with operator rights. */
  operator: Client;
  url: string;
  addChannel(baseUrl: string, fields?: Record<string, unknown>): Promise<number>;
  addCustomer(quota: number, token?: Record<string, unknown>): Promise<Customer>;
  /** One round of the poller. */
  poll(): Promise<void>;
  /** A call with the customer's token, or with none. */
  call(
    customer: Customer | undefined,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Reply>;
  /**
   * Ends the app and opens another one on the same database: holds and whatever else was in memory
   * are gone.
   */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface Customer {
  readonly userId: number;
  readonly tokenId: number;
  readonly key: string;
}

export interface Reply {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

const quiet = { GLOBAL_API_RATE_LIMIT_ENABLE: 'false', CRITICAL_RATE_LIMIT_ENABLE: 'false' };

/** `databaseUrl` absent: a file of its own. */
export async function createTaskBench(
  databaseUrl?: string,
  environment: Record<string, string> = {},
): Promise<TaskBench> {
  const own = databaseUrl === undefined ? await newMigratedFile() : undefined;
  const clock = createTestClock();
  const { config } = loadConfig({
    environment: {
      SETUP_TOKEN: 'TESTAB',
      TURNPIKE_DATABASE_URL: databaseUrl ?? `sqlite:${own?.path}`,
      ...quiet,
      ...environment,
    },
    cwd: '/nonexistent',
    home: freshHome(),
  });
  const open = () =>
    openApp({
      config,
      folder: { cryptoSecret: new Secret('a master key that guards nothing') },
      logger: silentLogger,
      version: 'test',
      threads: false,
      clock,
    });
  let server: Server;
  let serial = 0;
  const listen = async (app: OpenApp): Promise<string> => {
    server = createServer((request, response) => {
      if (!app.relay.gateway.handle(request, response)) response.writeHead(404).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const stop = async (): Promise<void> => {
    // What is under way is cut off.
    await bench.app.relay.gateway.drain(0);
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
    await bench.app.close();
  };
  const app = await open();
  const operatorOf = (of: OpenApp) => createClient(createLocalTransport(of, undefined, 'en'));
  const bench: TaskBench = {
    app,
    clock,
    operator: operatorOf(app),
    url: await listen(app),
    addChannel: async (baseUrl, fields = {}) => {
      serial += 1;
      const { ids } = await bench.operator.channel.create({
        name: `channel ${serial}`,
        type: 36,
        key: 'upstream-key',
        base_url: baseUrl,
        models: 'suno_music,suno_lyrics',
        ...fields,
      });
      return ids[0] ?? 0;
    },
    addCustomer: async (quota, token = {}) => {
      serial += 1;
      const username = `customer${serial}`;
      const { id } = await bench.operator.user.create({ username, password: testPassword, quota });
      const created = await bench.operator.userTokens.create({
        name: 'test',
        unlimited_quota: true,
        ...token,
        user: username,
      });
      return { userId: id, tokenId: created.id, key: `sk-${created.key}` };
    },
    poll: () => bench.app.tasks.poll(new AbortController().signal),
    call: async (customer, method, path, body) => {
      const reply = await fetch(bench.url + path, {
        method,
        headers: {
          'content-type': 'application/json',
          'accept-language': 'en',
          ...(customer !== undefined && { authorization: `Bearer ${customer.key}` }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
    },
    restart: async () => {
      await stop();
      bench.app = await open();
      bench.operator = operatorOf(bench.app);
      bench.url = await listen(bench.app);
    },
    close: async () => {
      await stop();
      own?.remove();
    },
  };
  const root = {
    username: 'root',
    password: testPassword,
    confirmPassword: testPassword,
    SiteLanguage: 'en',
  } as const;
  await bench.operator.system.setup(root);
  return bench;
}
