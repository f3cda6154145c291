/**
 * Databases of One API and New API with the columns that their releases have, as SQL for SQLite,
 * PostgreSQL and MySQL.
 */
import BetterSqlite3 from 'better-sqlite3';

export const familyVariants = [
  'newapi-0.4',
  'newapi-0.5',
  'newapi-0.6',
  'newapi-1.0',
  'oneapi-0.5',
  'oneapi-0.6',
] as const;
export type FamilyVariant = (typeof familyVariants)[number];

/** Column kinds as GORM creates them on each engine. */
const kinds = {
  sqlite: {
    id: 'integer PRIMARY KEY',
    int: 'integer',
    str: 'text',
    bool: 'numeric',
    float: 'real',
    del: 'datetime',
    blob: 'blob',
  },
  postgres: {
    id: 'bigserial PRIMARY KEY',
    int: 'bigint',
    str: 'text',
    bool: 'boolean',
    float: 'numeric',
    del: 'timestamptz',
    blob: 'json',
  },
  mysql: {
    id: 'bigint AUTO_INCREMENT PRIMARY KEY',
    int: 'bigint',
    str: 'longtext',
    bool: 'tinyint(1)',
    float: 'double',
    del: 'datetime(3)',
    blob: 'json',
  },
} as const;
type Engine = keyof typeof kinds;
type Kind = keyof (typeof kinds)['sqlite'];

/** `column:kind`; without a kind a text. */
type Columns = string;

const common: Readonly<Record<string, Columns>> = {
  users:
    'id:id username password display_name role:int status:int email github_id oidc_id wechat_id access_token quota:int used_quota:int request_count:int group aff_code inviter_id:int',
  tokens:
    'id:id user_id:int key status:int name created_time:int accessed_time:int expired_time:int remain_quota:int unlimited_quota:bool used_quota:int',
  channels:
    'id:id type:int key status:int name weight:int created_time:int test_time:int response_time:int base_url other balance:float balance_updated_time:int models group used_quota:int model_mapping priority:int',
  options: 'key value',
  abilities: 'group model channel_id:int enabled:bool priority:int',
  redemptions: 'id:id user_id:int key status:int name quota:int created_time:int redeemed_time:int',
  logs: 'id:id user_id:int created_at:int type:int content username token_name model_name quota:int prompt_tokens:int completion_tokens:int channel_id:int is_stream:bool',
};
const newApi: Readonly<Record<string, Columns>> = {
  users:
    'telegram_id linux_do_id aff_count:int aff_quota:int aff_history:int deleted_at:del setting',
  tokens: 'model_limits_enabled:bool model_limits allow_ips group deleted_at:del',
  channels:
    'openai_organization test_model status_code_mapping auto_ban:int other_info tag setting param_override',
  abilities: 'weight:int tag',
  redemptions: 'used_user_id:int deleted_at:del',
  logs: 'use_time:int channel_name token_id:int group other',
  top_ups: 'id:id user_id:int amount:int money:float trade_no create_time:int status',
  quota_data:
    'id:id user_id:int username model_name created_at:int token_used:int count:int quota:int',
  midjourneys:
    'id:id code:int user_id:int action mj_id prompt prompt_en description state submit_time:int start_time:int finish_time:int image_url status progress fail_reason channel_id:int quota:int buttons properties',
  tasks:
    'id:id created_at:int updated_at:int task_id platform user_id:int channel_id:int quota:int action status fail_reason submit_time:int start_time:int finish_time:int progress properties:blob data:blob',
  setups: 'id:id version initialized_at:int',
};
const laterNewApi: Readonly<Record<string, Columns>> = {
  users: 'discord_id remark stripe_customer last_login_at:int created_at:int',
  tokens: 'cross_group_retry:bool auto_groups',
  channels: 'header_override remark channel_info:blob settings',
  redemptions: 'expired_time:int',
  logs: 'ip request_id',
  top_ups: 'payment_method payment_provider complete_time:int',
  midjourneys: 'video_url video_urls',
  tasks: 'group private_data:blob',
  two_fas:
    'id:id user_id:int secret is_enabled:bool failed_attempts:int locked_until:del created_at:del deleted_at:del',
  two_fa_backup_codes: 'id:id user_id:int code_hash is_used:bool',
  passkey_credentials:
    'id:id user_id:int credential_id public_key sign_count:int backup_state:bool transports last_used_at:del created_at:del deleted_at:del',
  user_subscriptions:
    'id:id user_id:int plan_id:int amount_total:int amount_used:int end_time:int status',
  casbin_rule: 'id:id ptype v0 v1',
  user_sessions: 'id:id user_id:int',
  perf_metrics: 'id:id name',
};
const oneApi: Readonly<Record<string, Columns>> = {
  users: 'lark_id',
  tokens: 'models subnet',
  channels: 'config system_prompt open_ai_organization',
  logs: 'request_id elapsed_time:int system_prompt_reset:bool',
};

/** Columns that only earlier releases have. */
const earlyNewApi: Readonly<Record<string, Columns>> = { channels: 'max_input_tokens:int' };

const variants: Readonly<Record<FamilyVariant, readonly Readonly<Record<string, Columns>>[]>> = {
  'newapi-0.4': [common, newApi, earlyNewApi],
  'newapi-0.5': [common, newApi, earlyNewApi],
  'newapi-0.6': [common, newApi],
  'newapi-1.0': [common, newApi, laterNewApi],
  'oneapi-0.5': [common, oneApi],
  'oneapi-0.6': [common, oneApi],
};

/** Tables (`*`) and columns that a release does not have yet. */
const notYet: Partial<Record<FamilyVariant, Readonly<Record<string, Columns>>>> = {
  'newapi-0.4': {
    users: 'oidc_id setting',
    channels: 'param_override',
    logs: 'group',
    setups: '*',
  },
  'newapi-0.5': { users: 'oidc_id', channels: 'param_override', setups: '*' },
  'oneapi-0.5': {
    users: 'oidc_id lark_id',
    tokens: 'models subnet',
    channels: 'config system_prompt open_ai_organization',
    logs: 'is_stream request_id elapsed_time system_prompt_reset',
  },
};

const quoted = (name: string, engine: Engine): string =>
  engine === 'mysql' ? `\`${name}\`` : `"${name}"`;

/** The columns of every table of a variant, with their kinds. */
export function familyColumns(
  variant: FamilyVariant,
): ReadonlyMap<string, ReadonlyMap<string, Kind>> {
  const tables = new Map<string, Map<string, Kind>>();
  for (const layer of variants[variant]) {
    for (const [table, columns] of Object.entries(layer)) {
      const missing = notYet[variant]?.[table]?.split(' ') ?? [];
      if (missing[0] === '*') continue;
      const found = tables.get(table) ?? new Map<string, Kind>();
      for (const column of columns.split(' ')) {
        const [name = '', kind = 'str'] = column.split(':');
        if (!missing.includes(name)) found.set(name, kind as Kind);
      }
      tables.set(table, found);
    }
  }
  return tables;
}

/** CREATE TABLE for every table of a variant. */
export function familySchema(variant: FamilyVariant, engine: Engine): readonly string[] {
  return [...familyColumns(variant)].map(([table, columns]) => {
    const declared = [...columns].map(
      ([name, kind]) => `${quoted(name, engine)} ${kinds[engine][kind]}`,
    );
    return `CREATE TABLE ${quoted(table, engine)} (${declared.join(', ')})`;
  });
}

export type FamilyRow = Readonly<Record<string, unknown>>;
export type FamilyRows = Readonly<Record<string, readonly FamilyRow[]>>;

/** INSERT statements, with `?` or `$1` for the values. */
export function familyInserts(
  rows: FamilyRows,
  engine: Engine,
): readonly { sql: string; values: readonly unknown[] }[] {
  return Object.entries(rows).flatMap(([table, found]) =>
    found.map((row) => {
      const names = Object.keys(row).map((name) => quoted(name, engine));
      const places = names.map((_, index) => (engine === 'postgres' ? `$${index + 1}` : '?'));
      return {
        sql: `INSERT INTO ${quoted(table, engine)} (${names.join(', ')}) VALUES (${places.join(', ')})`,
        values: Object.values(row),
      };
    }),
  );
}

/** A SQLite file of a variant with these rows. */
export function writeFamilyFile(path: string, variant: FamilyVariant, rows: FamilyRows): void {
  const database = new BetterSqlite3(path);
  for (const statement of familySchema(variant, 'sqlite')) database.exec(statement);
  database.transaction(() => {
    for (const { sql, values } of familyInserts(rows, 'sqlite')) {
      database
        .prepare(sql)
        .run(...values.map((value) => (typeof value === 'boolean' ? Number(value) : value)));
    }
  })();
  database.close();
}

/** bcrypt of `123456`: six characters, as the first root of these programs has. */
export const rootPassword = {
  text: '123456',
  hash: '$2b$04$08a75aM6Jk8dTQaqwvSxpuvAYAD9lGtccl0WFQ2E0.kccJu8aX2Aq',
} as const;

const named = (id: number, username: string, more: FamilyRow = {}): FamilyRow => ({
  id,
  username,
  password: rootPassword.hash,
  display_name: username,
  role: 1,
  status: 1,
  quota: 0,
  used_quota: 0,
  request_count: 0,
  group: 'default',
  aff_code: '',
  ...more,
});

/** What real databases of both programs hold, odd rows included. */
export const commonRows: FamilyRows = {
  users: [
    named(1, 'root', {
      role: 100,
      quota: 100_000_000,
      used_quota: 5_000,
      request_count: 3,
      email: 'Root@Example.com',
      aff_code: 'AB12',
      access_token: 'a'.repeat(32),
    }),
    named(2, 'alice', {
      quota: -1_234,
      used_quota: 9_000,
      email: 'alice@example.com',
      github_id: 'alice-gh',
      inviter_id: 1,
    }),
    named(3, 'Alice', { email: 'ALICE@example.com', github_id: 'alice-gh' }),
    named(4, 'deleted_0a1b2c', { status: 3 }),
    named(5, 'huge', { quota: 9_223_372_036_854_775_807n }),
  ],
  tokens: [
    {
      id: 1,
      user_id: 1,
      key: 'k'.repeat(48),
      status: 1,
      name: 'main',
      created_time: 1_700_000_000,
      accessed_time: 0,
      expired_time: -1,
      remain_quota: 500,
      unlimited_quota: false,
      used_quota: 700,
    },
    {
      id: 2,
      user_id: 2,
      key: 'L'.repeat(48),
      status: 1,
      name: 'endless',
      created_time: 1_700_000_001,
      accessed_time: 0,
      expired_time: -1,
      remain_quota: -9_000,
      unlimited_quota: true,
      used_quota: 9_000,
    },
    {
      id: 3,
      user_id: 77,
      key: 'm'.repeat(128),
      status: 4,
      name: 'orphan',
      created_time: 0,
      accessed_time: 0,
      expired_time: -1,
      remain_quota: -1,
      unlimited_quota: false,
      used_quota: 0,
    },
  ],
  channels: [
    {
      id: 3,
      type: 1,
      key: 'sk-upstream',
      status: 1,
      name: 'openai',
      weight: 2,
      models: 'gpt-4o,gpt-4o-mini',
      group: 'default,vip',
      used_quota: 12_345,
      model_mapping: '{"gpt-4o":"gpt-4o-2024-11-20"}',
      priority: 5,
      balance: 1.5,
    },
  ],
  options: [
    { key: 'ModelRatio', value: '{"gpt-4o":1.25,"openrouter/auto":-500000}' },
    { key: 'QuotaPerUnit', value: '500000' },
    { key: 'RetryTimes', value: 'many' },
    { key: 'SystemName', value: 'Old site' },
    { key: 'SomethingOfLater', value: '1' },
  ],
  redemptions: [
    {
      id: 1,
      user_id: 1,
      key: 'c'.repeat(32),
      status: 1,
      name: 'gift',
      quota: 250_000,
      created_time: 1_700_000_000,
      redeemed_time: 0,
    },
    {
      id: 2,
      user_id: 1,
      key: 'd'.repeat(32),
      status: 3,
      name: 'used',
      quota: 1_000,
      created_time: 1_700_000_000,
      redeemed_time: 1_700_000_500,
    },
  ],
};

/** The rows of both, table by table. */
export const addRows = (rows: FamilyRows, more: FamilyRows): FamilyRows => {
  const tables = new Set([...Object.keys(rows), ...Object.keys(more)]);
  return Object.fromEntries(
    [...tables].map((table) => [table, [...(rows[table] ?? []), ...(more[table] ?? [])]]),
  );
};
