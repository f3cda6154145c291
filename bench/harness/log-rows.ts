/** SQL that fills the usage log as a busy site does, the same on SQLite and PostgreSQL. */

export interface LogRows {
  readonly rows: number;
  /** Besides user 1, whose id is followed by theirs. */
  readonly users: number;
  /** Unix seconds of the first row, and days up to the last one. */
  readonly begin: number;
  readonly days: number;
}

export const logColumns =
  'user_id, created_at, type, content, username, token_name, model_name, quota, prompt_tokens, completion_tokens, use_time, is_stream, channel_id, token_id, "group", other, request_id';

/** Pseudo-random from the row's number `n`, the same on both engines. */
const mixed = (n: string, salt: number) => `(((${n}) * 7919 + ${salt}) * 104729 % 1000003)`;
const at = (salt: number) => mixed('n', salt);

/** The user of row `n`: user 1 has a tenth of the rows and few others have most of them. */
export const userOfRow = ({ users }: LogRows): string =>
  `CASE WHEN n % 10 = 3 THEN 1 ELSE 2 + (${at(1)} % ${users}) * (${at(2)} % ${users}) / ${users} END`;

export const timeOfRow = ({ rows, begin, days }: LogRows): string =>
  `${begin} + n * ${days * 86_400} / ${rows}`;

/**
 * Rows for `logColumns`. `numbers`: a table of the numbers `n` from 1 to the count of rows. A user
 * has three models and tokens, a model one channel and another one for retries. The model `rare`
 * has one row in 20,000.
 */
export function logSelect(shape: LogRows, numbers: string): string {
  const withUsers = `(SELECT n, ${userOfRow(shape)} AS u FROM ${numbers}) AS a`;
  const withModels = `(SELECT n, u, (u * 5 + ${at(3)} % 3) % 12 AS m FROM ${withUsers}) AS b`;
  return `SELECT u, ${timeOfRow(shape)}, CASE WHEN n % 50 = 0 THEN 5 ELSE 2 END, '',
    CASE WHEN u = 1 THEN 'root' ELSE 'user' || u END, 'token' || (n % 3),
    CASE WHEN n % 20000 = 0 THEN 'rare' ELSE 'model-' || m END,
    ${at(4)} % 5000, ${at(5)} % 4000, ${at(6)} % 800, ${at(7)} % 30, n % 2, 1 + (m + CASE WHEN n % 10 = 0 THEN 1 ELSE 0 END) % 8,
    u * 3 + n % 3, CASE WHEN u % 5 = 0 THEN 'vip' ELSE 'default' END,
    '{"model_ratio":1.25,"completion_ratio":4,"group_ratio":1,"model_price":-1,"use_ms":1234,"usage_source":"upstream"}',
    'request-' || n FROM ${withModels}`;
}

/** A table of the numbers from 1 to `count`, for SQLite. */
export const sqliteNumbers = (count: number): string =>
  `(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${count}) SELECT n FROM c)`;
