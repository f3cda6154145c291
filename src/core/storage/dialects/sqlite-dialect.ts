import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { SqlitePort } from './sqlite-port.ts';
import type { Turns } from './turns.ts';

/**
 * No locking in kysely: the queue of turns, shared with settlements, already serializes the writes.
 */
class SharedSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  // SQLite can roll back CREATE TABLE, although kysely assumes otherwise.
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** One turn on the connection: a single statement, or a whole transaction. */
class Turn implements DatabaseConnection {
  readonly #port: SqlitePort;
  readonly #release: () => void;
  #watchdog: NodeJS.Timeout | undefined;
  #expired = false;

  constructor(port: SqlitePort, release: () => void) {
    this.#port = port;
    this.#release = release;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#expired) throw new Error('the transaction took too long and was rolled back');
    const { rows, changes } = await this.#port.execute(sql, parameters);
    return { rows: rows as Row[], numAffectedRows: BigInt(changes) };
  }

  // biome-ignore lint/correctness/useYield: kysely requires a generator; streaming is not supported
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('read pages instead of streams: a stream would hold the connection');
  }

  async begin(limit: number): Promise<void> {
    await this.executeQuery(CompiledQuery.raw('begin immediate'));
    this.#watchdog = setTimeout(() => void this.#expire(), limit);
  }

  async end(word: 'commit' | 'rollback'): Promise<void> {
    clearTimeout(this.#watchdog);
    if (word === 'commit') return void (await this.executeQuery(CompiledQuery.raw(word)));
    if (!this.#expired) await this.#rollBack();
  }

  /** After some failures, a full disk for example, SQLite has rolled back by itself. */
  async #rollBack(): Promise<void> {
    await this.#port.execute('rollback', []).catch((error: unknown) => {
      if (!String(error).includes('no transaction is active')) throw error;
    });
  }

  release(): void {
    clearTimeout(this.#watchdog);
    this.#release();
  }

  async #expire(): Promise<void> {
    this.#expired = true;
    // The port works in order, so a pending statement is rolled back too.
    await this.#port.execute('rollback', []).catch(() => undefined);
    this.#release();
  }
}

/** Resolves when the tables may be read and written. */
export type Ready = () => Promise<void> | undefined;

class PortDriver implements Driver {
  readonly #port: SqlitePort;
  readonly #turns: Turns | undefined;
  readonly #transactionLimit: number;
  readonly #ready: Ready;

  constructor(port: SqlitePort, turns: Turns | undefined, transactionLimit: number, ready: Ready) {
    this.#port = port;
    this.#turns = turns;
    this.#transactionLimit = transactionLimit;
    this.#ready = ready;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Turn> {
    const ready = this.#ready();
    if (ready !== undefined) await ready;
    return new Turn(this.#port, (await this.#turns?.take()) ?? (() => {}));
  }

  async beginTransaction(turn: Turn): Promise<void> {
    await turn.begin(this.#transactionLimit);
  }

  async commitTransaction(turn: Turn): Promise<void> {
    await turn.end('commit');
  }

  async rollbackTransaction(turn: Turn): Promise<void> {
    await turn.end('rollback');
  }

  async releaseConnection(turn: Turn): Promise<void> {
    turn.release();
  }

  // The engine closes its ports in the right order.
  async destroy(): Promise<void> {}
}

/**
 * A kysely dialect for a port. `turns` queues statements and transactions with settlements; the
 * reading connection has no queue, because it only runs single statements. `transactionLimit` in
 * ms. `ready` comes before each turn.
 */
export function createSqliteDialect(
  port: SqlitePort,
  turns: Turns | undefined,
  transactionLimit: number,
  ready: Ready = () => undefined,
): Dialect {
  return {
    createAdapter: () => new SharedSqliteAdapter(),
    createDriver: () => new PortDriver(port, turns, transactionLimit, ready),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}
