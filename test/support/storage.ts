import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { type DatabaseOptions, openDatabase } from '../../src/core/open-database.ts';
import { migrateStorage, type OpenStorage } from '../../src/core/storage/open.ts';
import { copyMigratedFile, testMasterKey } from './migrated-file.ts';
import { postgresIsInstalled, startPostgres, type TestPostgres } from './postgres.ts';

export { testMasterKey };

/** A storage engine under test. Everything opened is closed after each test. */
export interface TestEngine {
  readonly name: 'sqlite in memory' | 'sqlite on threads' | 'postgres';
  /** The URL of a new, empty database that may be opened several times; not in memory. */
  freshUrl(): Promise<string>;
  /** The URL of a new database with all tables. */
  migratedUrl(): Promise<string>;
  /** Opens a new database, or the one of a URL. */
  open(options?: Partial<DatabaseOptions>): Promise<OpenStorage>;
}

/**
 * Runs the suite on SQLite in memory (a migrated file below the folder for temporary files), SQLite
 * with worker threads, and PostgreSQL. Call it at the top level of a file.
 */
export function forEachEngine(name: string, suite: (engine: TestEngine) => void): void {
  runOn(() => true, name, suite);
}

/**
 * The same in a file `*.engines.test.ts`, which belongs to both suites: `npm test` runs it on
 * SQLite in memory, the long suite on the other engines, and by itself it runs on all.
 */
export function forEachEngineInTurn(name: string, suite: (engine: TestEngine) => void): void {
  runOn(isTurnOf, name, suite);
}

/** The same without SQLite's threads, for suites of the whole core, which tests run without them. */
export function forEachDatabaseInTurn(name: string, suite: (engine: TestEngine) => void): void {
  runOn((engine) => isTurnOf(engine) && engine !== 'sqlite on threads', name, suite);
}

/** Whether a file `*.engines.test.ts` runs on this engine in this suite. */
export function isTurnOf(engine: TestEngine['name']): boolean {
  const suite = process.env['TEST_SUITE'];
  if (suite !== 'quick' && suite !== 'long') return true;
  return (engine === 'sqlite in memory') === (suite === 'quick');
}

function runOn(
  isWanted: (engine: TestEngine['name']) => boolean,
  name: string,
  suite: (engine: TestEngine) => void,
): void {
  afterAll(async () => {
    const stopping = shared;
    shared = undefined;
    await (await stopping)?.server.stop();
  });
  const folders: string[] = [];
  const newFile = () => {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-sqlite-'));
    folders.push(folder);
    return join(folder, 'test.db');
  };
  const copyUrl = async () => {
    const file = newFile();
    await copyMigratedFile(file);
    return `sqlite:${file}`;
  };
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  if (isWanted('sqlite in memory'))
    describe(`${name}: sqlite in memory`, () => {
      suite({
        name: 'sqlite in memory',
        freshUrl: async () => 'sqlite::memory:',
        migratedUrl: copyUrl,
        open: opener(copyUrl, { durability: 'normal' }),
      });
    });
  if (isWanted('sqlite on threads'))
    describe(`${name}: sqlite on threads`, () => {
      const freshUrl = async () => `sqlite:${newFile()}`;
      suite({
        name: 'sqlite on threads',
        freshUrl,
        migratedUrl: copyUrl,
        open: opener(copyUrl, { threads: true, durability: 'normal' }),
      });
    });
  if (isWanted('postgres'))
    describe.skipIf(!postgresIsInstalled())(`${name}: postgres`, () => {
      beforeAll(async () => void (await sharedServer()));
      const freshUrl = async () => (await sharedServer()).server.createDatabase();
      const copyUrl = async () => {
        const { server, template } = await sharedServer();
        return server.createDatabase(template);
      };
      const open = opener(copyUrl, { poolSize: 5 });
      suite({ name: 'postgres', freshUrl, migratedUrl: copyUrl, open });
    });
}

interface SharedServer {
  readonly server: TestPostgres;
  /** A migrated database; copying it is faster than migrating. */
  readonly template: string;
}

let shared: Promise<SharedServer> | undefined;

/** One server per test file, stopped after its last test. */
function sharedServer(): Promise<SharedServer> {
  shared ??= startPostgres().then(async (server) => {
    const template = await server.createDatabase();
    await migrateStorage({ url: template, masterKey: testMasterKey });
    return { server, template };
  });
  return shared;
}

const files = new WeakMap<OpenStorage, string>();

/** The file of an SQLite database with threads; undefined: another kind of database. */
export const sqliteFileOf = (storage: OpenStorage): string | undefined => files.get(storage);

function opener(
  freshUrl: () => Promise<string>,
  engineOptions: Partial<DatabaseOptions>,
): TestEngine['open'] {
  const opened: OpenStorage[] = [];
  afterEach(async () => {
    for (const storage of opened.splice(0)) await storage.close();
  });
  return async (options = {}) => {
    const url = options.url ?? (await freshUrl());
    const storage = await openDatabase({
      masterKey: testMasterKey,
      ...engineOptions,
      ...options,
      url,
    });
    opened.push(storage);
    if (engineOptions.threads === true) files.set(storage, url.slice('sqlite:'.length));
    return storage;
  };
}
