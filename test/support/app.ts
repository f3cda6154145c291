/**
 * The whole core with a database of its own, without a socket. Everything opened is closed after
 * each test.
 */
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { actorFrom } from '../../src/core/accounts/actor-from.ts';
import { type App, type AppDeps, composeApp } from '../../src/core/app.ts';
import type { Cluster } from '../../src/core/cluster/cluster.ts';
import { loadConfig } from '../../src/core/config/load.ts';
import { type Client, createClient } from '../../src/core/contract/client.ts';
import { type Foundation, openFoundation } from '../../src/core/foundation.ts';
import type { Actor } from '../../src/core/kernel/actor.ts';
import { type Clock, nowSeconds, systemClock } from '../../src/core/kernel/clock.ts';
import { type Logger, silentLogger } from '../../src/core/kernel/logger.ts';
import { Secret } from '../../src/core/kernel/secret.ts';
import { createLocalTransport } from '../../src/server/local-client.ts';
import { afterEachTest } from './hooks.ts';
import { newMigratedFile, testMasterKey } from './migrated-file.ts';
import './lasting-models.ts';
import { countUse } from './usage.ts';

/** A clock that only moves when told to; sleeping returns immediately. */
export interface TestClock extends Clock {
  move(ms: number): void;
}

export function createTestClock(start = Date.UTC(2026, 10, 20, 12)): TestClock {
  let now = start;
  return {
    now: () => now,
    sleep: systemClock.sleep,
    move: (ms) => {
      now += ms;
    },
  };
}

/** The app with what it keeps to itself: tests arrange and look at rows. */
export type OpenApp = App & Pick<Foundation, 'storage' | 'ledger'>;

export interface TestApp {
  readonly app: OpenApp;
  readonly clock: TestClock;
  /** A client with operator rights. */
  readonly operator: Client;
  /** The root user, id 1. */
  readonly root: Actor;
  /** A client that acts as this user, who has just signed in. */
  as(userId: number): Promise<Client>;
  /** Adds a user and returns the id. */
  addUser(
    username: string,
    fields?: { role?: number; group?: string; quota?: number },
  ): Promise<number>;
}

export const testPassword = 'a long password';

/**
 * `clusterOf`: how the app shares state with other processes; absent: it is the only one. With
 * SQLITE_PATH or SQL_DSN in `environment` the database is that one, with all tables.
 */
export async function createTestApp(
  environment: Record<string, string> = {},
  setUp = true,
  clusterOf?: (clock: TestClock) => Cluster,
  logger: Logger = silentLogger,
): Promise<TestApp> {
  const created = await createLastingApp(environment, setUp, clusterOf, logger);
  opened.push(created.app);
  return created;
}

/** A home folder that is not there, and no other app's: what an app writes stays its own. */
export const freshHome = (): string => join(tmpdir(), `turnpike-home-${randomUUID()}`);

/** The same for all tests of a file; the caller closes it. */
export async function createLastingApp(
  environment: Record<string, string> = {},
  setUp = true,
  clusterOf?: (clock: TestClock) => Cluster,
  logger: Logger = silentLogger,
): Promise<TestApp> {
  const clock = createTestClock();
  const { config } = loadConfig({
    environment: { SETUP_TOKEN: 'TESTAB', DURABILITY: 'normal', ...environment },
    cwd: '/nonexistent',
    home: freshHome(),
  });
  const { SQLITE_PATH: file, SQL_DSN: given } = environment;
  const own = file === undefined && given === undefined ? await newMigratedFile() : undefined;
  const deps: AppDeps = {
    config,
    folder: { cryptoSecret: new Secret(testMasterKey.toString()) },
    logger,
    version: 'test',
    threads: false,
    clock,
    databaseUrl: given ?? `sqlite:${own?.path ?? file}`,
  };
  countUse('app');
  const open = await openApp(deps, clusterOf?.(clock));
  const app: OpenApp = {
    ...open,
    close: async () => {
      await open.close();
      own?.remove();
    },
  };
  const operator = createClient(createLocalTransport(app, undefined, 'en'));
  const root = {
    username: 'root',
    password: testPassword,
    confirmPassword: testPassword,
    SiteLanguage: 'zh',
  } as const;
  if (setUp) await operator.system.setup(root);
  const as = async (userId: number): Promise<Client> => {
    const user = await app.accounts.own.get(userId);
    const session = () => ({ idHash: 'just signed in', confirmedAt: nowSeconds(clock) });
    return createClient(createLocalTransport(app, actorFrom(user, '192.0.2.1'), 'en', session));
  };
  return {
    app,
    clock,
    operator,
    root: await app.setup.findOperator('192.0.2.1'),
    as,
    addUser: async (username, fields = {}) =>
      (await operator.user.create({ username, password: testPassword, ...fields })).id,
  };
}

/** {@link createApp} with the storage and the ledger at hand. */
export async function openApp(deps: AppDeps, cluster?: Cluster): Promise<OpenApp> {
  const foundation = await openFoundation(deps);
  const { storage, ledger } = foundation;
  return { ...(await composeApp({ ...foundation, ...(cluster && { cluster }) })), storage, ledger };
}

/** A second gateway process over the database of `app`. */
export async function openBeside(app: OpenApp, cluster: Cluster): Promise<App> {
  const { config, version, startedAt, clock, ids, logger, siteLanguage, storage, ledger } = app;
  const shared = { config, version, startedAt, clock, ids, logger, siteLanguage, storage, ledger };
  const beside = await composeApp({
    ...shared,
    databaseType: 'sqlite',
    cluster,
    close: async () => {},
  });
  // Before the app that closes the database.
  opened.unshift(beside);
  return beside;
}

const opened: App[] = [];
afterEachTest(async () => {
  for (const app of opened.splice(0)) await app.close();
});

/**
 * The code of the AppError or CallError that a promise rejects with; a text that is no code if it
 * does not reject.
 */
export async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
  return 'it did not fail';
}
