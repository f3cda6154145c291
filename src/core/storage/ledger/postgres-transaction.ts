/**
 * Transactions of the ledger on PostgreSQL (docs/rules/ledger.md#postgres-transactions), with
 * retries after lost races and a check of commits that got no reply.
 */
import { DatabaseError, type Pool, type PoolClient } from 'pg';
import { isLostStatement } from './prepared.ts';
import { UnknownOutcomeError } from './write-errors.ts';

/**
 * `durable` is on disk when it resolves. `light` is for holds: a crash of the server may lose the
 * last of these transactions, which costs nobody anything.
 */
export type TransactionKind = 'durable' | 'light';

/**
 * A node that freezes inside a transaction must not keep accounts locked, hence the timeouts. With
 * the transaction's id it can be looked up later whether it was committed. Prepared statements keep
 * the plan that was made when a table was small, so none may read a whole table.
 */
const begin: Readonly<Record<TransactionKind, string>> = {
  durable: `BEGIN ISOLATION LEVEL READ COMMITTED;
    SET LOCAL idle_in_transaction_session_timeout = '10s';
    SET LOCAL enable_seqscan = off;
    SELECT pg_current_xact_id()::text AS id`,
  light: `BEGIN ISOLATION LEVEL READ COMMITTED;
    SET LOCAL idle_in_transaction_session_timeout = '10s';
    SET LOCAL enable_seqscan = off;
    SET LOCAL lock_timeout = '5s';
    SET LOCAL synchronous_commit TO off;
    SELECT pg_current_xact_id()::text AS id`,
};

/** What is done in a transaction. */
export interface Work<T> {
  readonly value: T;
  /**
   * The last statement, which is sent but need not have succeeded: COMMIT is sent behind it, and
   * ends the transaction without effect where it failed. Absent: all have succeeded.
   */
  readonly last?: Promise<unknown>;
}

/** How many times a transaction is run before its failure is reported. */
const attempts = 5;

/** The connection broke between COMMIT and its reply. */
export class CommitUnknownError<T> extends UnknownOutcomeError {
  readonly #pool: Pool;
  readonly #transactionId: string;
  readonly #value: T;

  constructor(pool: Pool, transactionId: string, value: T, cause: unknown) {
    super('the connection broke while a transaction was being committed', cause);
    this.name = 'CommitUnknownError';
    this.#pool = pool;
    this.#transactionId = transactionId;
    this.#value = value;
  }

  /**
   * What the transaction resolved with if it was committed; undefined if not. Rejects while the
   * server cannot tell.
   */
  async findOutcome(): Promise<{ readonly value: T } | undefined> {
    const status = await readStatus(this.#pool, this.#transactionId);
    if (status === 'committed') return { value: this.#value };
    if (status === 'aborted') return undefined;
    throw new Error(`the transaction is ${status ?? 'unknown to the server'}`);
  }
}

async function readStatus(pool: Pool, transactionId: string): Promise<string | null | undefined> {
  try {
    const text = 'SELECT pg_xact_status($1::xid8) AS status';
    return (await pool.query<{ status: string | null }>(text, [transactionId])).rows[0]?.status;
  } catch (error) {
    // After a crash the server does not know the id: "transaction ID is in the future".
    if (error instanceof DatabaseError && error.code === '22023') return 'aborted';
    throw error;
  }
}

/**
 * Runs `work` in one transaction, and again where {@link mayBeRepeated | that may help}. Throws
 * what PostgreSQL throws, with nothing written, or CommitUnknownError. The first statements of
 * `work` are sent with BEGIN; it waits for `begun` before it writes: where BEGIN was refused, that
 * would be outside a transaction.
 */
export async function inTransaction<T>(
  pool: Pool,
  kind: TransactionKind,
  work: (client: PoolClient, begun: Promise<unknown>) => Promise<Work<T>>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(pool, begin[kind], work);
    } catch (error) {
      if (!mayBeRepeated(pool, error) || attempt === attempts) throw error;
    }
  }
}

/** A serialization failure, a deadlock, the same key written by another node. */
const lostRaces = new Set(['40001', '40P01', '23505']);

/** Whether a transaction that failed so without effect may succeed when it is run again. */
export function mayBeRepeated(pool: Pool, error: unknown): boolean {
  if (error instanceof DatabaseError && lostRaces.has(error.code ?? '')) return true;
  return isLostStatement(pool, error);
}

async function runOnce<T>(
  pool: Pool,
  beginning: string,
  work: (client: PoolClient, begun: Promise<unknown>) => Promise<Work<T>>,
): Promise<T> {
  const client = await pool.connect();
  let broken = true;
  try {
    // Several statements in one text return a list of results, which the types do not know.
    const begun: Promise<unknown> = client.query(beginning);
    const [results, { value, last }] = await Promise.all([begun, work(client, begun)]);
    const id = (results as { rows: { id: string }[] }[]).at(-1)?.rows[0]?.id ?? '';
    const [written, ended] = await Promise.allSettled([last, client.query('COMMIT')]);
    if (written.status === 'rejected' && (ended.status === 'fulfilled' || isReply(written.reason)))
      throw written.reason;
    if (ended.status === 'rejected')
      throw isReply(ended.reason)
        ? ended.reason
        : new CommitUnknownError(pool, id, value, ended.reason);
    broken = false;
    return value;
  } catch (error) {
    if (!(error instanceof CommitUnknownError)) broken = !(await rollBack(client));
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Whether the error is the server's reply on a connection that stays open. */
function isReply(error: unknown): boolean {
  return error instanceof DatabaseError && error.severity === 'ERROR';
}

async function rollBack(client: PoolClient): Promise<boolean> {
  try {
    await client.query('ROLLBACK');
    return true;
  } catch {
    return false; // the connection is gone, and the transaction with it
  }
}
