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

/** Turns are handed out here, in step with settlements; kysely need not lock a second time. */
class SharedSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  // SQLite can roll back a CREATE TABLE; kysely only assumes the worst.
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** One turn on the connection: a statement, or everything between begin and commit. */
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

  // biome-ignore lint/correctness/useYield: kysely asks for a generator; nothing here is streamed
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('read pages instead of streams: a stream would hold the connection');
  }

  async begin(limit: number): Promise<void> {
    await this.executeQuery(CompiledQuery.raw('begin immediate'));
    this.#watchdog = setTimeout(() => void this.#expire(), limit);
  }

  async end(word: 'commit' | 'rollback'): Promise<void> {
    clearTimeout(this.#watchdog);
    if (word === 'rollback' && this.#expired) return;
    await this.executeQuery(CompiledQuery.raw(word));
  }

  release(): void {
    clearTimeout(this.#watchdog);
    this.#release();
  }

  async #expire(): Promise<void> {
    this.#expired = true;
    // The port serves in order: a statement on its way is still part of what is rolled back.
    await this.#port.execute('rollback', []).catch(() => undefined);
    this.#release();
  }
}

class PortDriver implements Driver {
  readonly #port: SqlitePort;
  readonly #turns: Turns | undefined;
  readonly #transactionLimit: number;

  constructor(port: SqlitePort, turns: Turns | undefined, transactionLimit: number) {
    this.#port = port;
    this.#turns = turns;
    this.#transactionLimit = transactionLimit;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Turn> {
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

  // The engine closes its ports itself, in the right order.
  async destroy(): Promise<void> {}
}

/**
 * kysely over a port. `turns` puts statements and transactions in one queue with settlements; the reading side has none,
 * its statements stand alone. `transactionLimit` in ms.
 */
export function createSqliteDialect(port: SqlitePort, turns: Turns | undefined, transactionLimit: number): Dialect {
  return {
    createAdapter: () => new SharedSqliteAdapter(),
    createDriver: () => new PortDriver(port, turns, transactionLimit),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}
