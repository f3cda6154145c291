/**
 * A site of New API of any size, generated: users of every kind, a token each, and usage logs (`npm
 * run test:import`).
 */
import { hashSync } from 'bcryptjs';
import BetterSqlite3 from 'better-sqlite3';
import { type FamilyRow, familyInserts, familySchema, rootPassword } from './family-database.ts';

/**
 * What a customer's key must answer after the move: a reply, or an error of this status and code.
 */
export type KeyOutcome = 'reply' | { readonly status: number; readonly code: string };

interface Customer {
  readonly user?: FamilyRow;
  readonly token?: FamilyRow;
  readonly outcome: KeyOutcome;
}

const past = 1_600_000_000;

/** Users take turns: number 2 is of the first kind, number 3 of the second, … */
const kinds: Readonly<Record<string, Customer>> = {
  plain: { outcome: 'reply' },
  'unlimited below zero': {
    token: { unlimited_quota: true, remain_quota: -9_000 },
    outcome: 'reply',
  },
  disabled: { token: { status: 2 }, outcome: { status: 401, code: 'token_disabled' } },
  streaming: { outcome: 'reply' },
  'expired by its time': {
    token: { expired_time: past },
    outcome: { status: 401, code: 'token_expired' },
  },
  expired: {
    token: { status: 3, expired_time: past },
    outcome: { status: 401, code: 'token_expired' },
  },
  'limited to another model': {
    token: { model_limits_enabled: true, model_limits: 'gpt-4o' },
    outcome: { status: 403, code: 'model_not_allowed' },
  },
  exhausted: {
    token: { status: 4, remain_quota: 0 },
    outcome: { status: 401, code: 'token_exhausted' },
  },
  'below zero': {
    token: { remain_quota: -500 },
    outcome: { status: 401, code: 'token_exhausted' },
  },
  'with an address range': { token: { allow_ips: '127.0.0.0/8\n::1' }, outcome: 'reply' },
  'with another address': {
    token: { allow_ips: '192.0.2.1' },
    outcome: { status: 403, code: 'ip_not_allowed' },
  },
  'deleted token': {
    token: { deleted_at: '2025-04-11 23:31:32.1+08:00' },
    outcome: { status: 401, code: 'token_unknown' },
  },
  'of a banned user': { user: { status: 2 }, outcome: { status: 403, code: 'user_banned' } },
  'of a deleted user': { user: { status: 3 }, outcome: { status: 401, code: 'user_deactivated' } },
  'of a user in debt': {
    user: { quota: -12_345 },
    token: { unlimited_quota: true },
    outcome: { status: 403, code: 'insufficient_user_quota' },
  },
  'with a long key': { token: { key: 'K'.repeat(120) }, outcome: 'reply' },
};

/** Models that the generated channel and prices have. */
export const generatedModel = 'gpt-4o-mini';

export interface GeneratedKey {
  readonly kind: string;
  /** With `sk-`. */
  readonly key: string;
  readonly userId: number;
  readonly outcome: KeyOutcome;
}

export interface GeneratedSite {
  readonly keys: readonly GeneratedKey[];
  readonly logins: readonly {
    readonly username: string;
    readonly password: string;
    readonly isOpen: boolean;
  }[];
}

const passwords = ['correct horse', 'Пароль-2025', '密码也可以很长-0123'] as const;

/**
 * Writes a SQLite file with `users` users and `logs` log rows. `channelUrl`: where its only channel
 * is.
 */
export function writeGeneratedSite(
  path: string,
  {
    users,
    logs,
    channelUrl,
  }: { readonly users: number; readonly logs: number; readonly channelUrl: string },
): GeneratedSite {
  // Go writes `$2a$` for what bcryptjs calls `$2b$`.
  const hashes = passwords.map((password) => hashSync(password, 10).replace('$2b$', '$2a$'));
  const names = Object.keys(kinds);
  const database = new BetterSqlite3(path);
  database.pragma('journal_mode = WAL');
  for (const statement of familySchema('newapi-1.0', 'sqlite')) database.exec(statement);
  const insert = inserter(database);
  const keys: GeneratedKey[] = [];
  const logins: { username: string; password: string; isOpen: boolean }[] = [
    { username: 'root', password: rootPassword.text, isOpen: true },
  ];
  const addCustomer = (id: number): void => {
    const kind = names[(id - 2) % names.length] ?? 'plain';
    const { user, token, outcome } = kinds[kind] ?? { outcome: 'reply' as const };
    // Some names differ in case alone: the later ones are renamed.
    const username = id % 500 === 499 ? `CUSTOMER${id - 1}` : `customer${id}`;
    const key = `${token?.['key'] ?? 'k'.repeat(40)}${String(id).padStart(8, '0')}`;
    insert('users', {
      id,
      username,
      password: hashes[id % hashes.length],
      display_name: `Customer ${id}`,
      role: 1,
      status: 1,
      email: id % 3 === 0 ? `Customer${id}@Example.com` : '',
      quota: 5_000_000 + ((id * 7_919) % 100_000),
      used_quota: (id * 104_729) % 1_000_003,
      request_count: id % 997,
      group: id % 5 === 0 ? 'vip' : 'default',
      aff_code: id % 2 === 0 ? `A${id.toString(36)}` : '',
      inviter_id: id % 9 === 0 ? 1 : 0,
      ...user,
    });
    insert('tokens', {
      id,
      user_id: id,
      status: 1,
      name: kind,
      created_time: past,
      expired_time: -1,
      remain_quota: 1_000_000,
      unlimited_quota: false,
      used_quota: id,
      ...token,
      key,
    });
    keys.push({ kind, key: `sk-${key}`, userId: id, outcome });
    const password = passwords[id % passwords.length] ?? '';
    if (id % 500 !== 499)
      logins.push({ username, password, isOpen: user?.['status'] === undefined });
  };
  const build = (): void => {
    insert('users', {
      id: 1,
      username: 'root',
      password: rootPassword.hash,
      role: 100,
      status: 1,
      quota: 100_000_000,
    });
    for (let id = 2; id <= users; id++) addCustomer(id);
    insert('channels', {
      id: 7,
      type: 1,
      key: 'sk-upstream',
      status: 1,
      name: 'openai',
      base_url: channelUrl,
      models: `${generatedModel},gpt-4o`,
      group: 'default,vip',
      used_quota: 1,
    });
    const ratios = {
      ModelRatio: { [generatedModel]: 0.075, 'gpt-4o': 1.25 },
      GroupRatio: { default: 1, vip: 0.5 },
    };
    for (const [key, table] of Object.entries(ratios))
      insert('options', { key, value: JSON.stringify(table) });
    insert('options', { key: 'SystemName', value: 'Old site' });
    for (let id = 1; id <= logs; id++) insert('logs', logRow(id, users));
  };
  database.transaction(build)();
  database.close();
  return { keys, logins };
}

/** Rows of one user follow no order; one in fifty is an error, one in 400 a sign-in of type 7. */
function logRow(id: number, users: number): FamilyRow {
  const user = 1 + ((id * 7_919) % users);
  return {
    id,
    user_id: user,
    created_at: 1_750_000_000 + id,
    type: id % 400 === 0 ? 7 : id % 50 === 0 ? 5 : 2,
    content: '',
    username: `customer${user}`,
    token_name: 'plain',
    model_name: id % 4 === 0 ? 'gpt-4o' : generatedModel,
    quota: (id * 104_729) % 4_999,
    prompt_tokens: id % 4_001,
    completion_tokens: id % 797,
    use_time: id % 30,
    is_stream: id % 2 === 0,
    channel_id: 7,
    token_id: user,
    group: 'default',
    other: '{"model_ratio":1.25,"completion_ratio":4,"group_ratio":1,"model_price":-1,"frt":1234}',
    ip: id % 3 === 0 ? '192.0.2.7' : '',
    request_id: `2025${String(id).padStart(16, '0')}`,
  };
}

/** Inserts a row with a statement that is prepared once for each set of columns. */
function inserter(database: BetterSqlite3.Database): (table: string, row: FamilyRow) => void {
  const statements = new Map<string, BetterSqlite3.Statement>();
  return (table, row) => {
    const shape = `${table} ${Object.keys(row).join(' ')}`;
    let statement = statements.get(shape);
    if (statement === undefined) {
      statement = database.prepare(familyInserts({ [table]: [row] }, 'sqlite')[0]?.sql ?? '');
      statements.set(shape, statement);
    }
    statement.run(
      ...Object.values(row).map((value) => (typeof value === 'boolean' ? Number(value) : value)),
    );
  };
}
