/**
 * A database of one-hub as its models make it (github.com/MartialBE/one-hub at 387f8bf1, 2026-02-20:
 * model/*.go, by GORM on SQLite), and what it charges.
 */
import BetterSqlite3 from 'better-sqlite3';
import { Client } from 'pg';
import { type FamilyRows, familyInserts } from './family-database.ts';

/** GORM's types on each engine. */
const kinds = {
  sqlite: {
    id: 'integer PRIMARY KEY AUTOINCREMENT',
    int: 'integer',
    str: 'text',
    bool: 'numeric',
    float: 'real',
    money: 'decimal(10,2)',
    time: 'datetime',
    date: 'date',
    json: 'json',
    blob: 'blob',
  },
  postgres: {
    id: 'bigserial PRIMARY KEY',
    int: 'bigint',
    str: 'text',
    bool: 'boolean',
    float: 'decimal',
    money: 'decimal(10,2)',
    time: 'timestamptz',
    date: 'date',
    json: 'json',
    blob: 'bytea',
  },
  mysql: {
    id: 'bigint AUTO_INCREMENT PRIMARY KEY',
    int: 'bigint',
    // Longer texts could have no default.
    str: 'varchar(300)',
    bool: 'boolean',
    float: 'double',
    money: 'decimal(10,2)',
    time: 'datetime(3)',
    date: 'date',
    json: 'json',
    blob: 'longblob',
  },
} as const;
type Engine = keyof typeof kinds;
type Kind = keyof (typeof kinds)['sqlite'];

const tables: Readonly<Record<string, string>> = {
  channels:
    "id:id type:int=0 key status:int=1 name weight:int=1 created_time:int test_time:int response_time:int base_url='' other balance:float balance_updated_time:int models group='default' tag='' used_quota:int=0 model_mapping model_headers='' custom_parameter='' priority:int=0 proxy='' test_model='' only_chat:bool=false pre_cost:int=1 compatible_response:bool=false allow_extra_body:bool=false disabled_stream:json plugin:json deleted_at:time",
  tokens:
    "id:id user_id:int key status:int=1 name created_time:int accessed_time:int expired_time:int=-1 remain_quota:int=0 unlimited_quota:bool=false used_quota:int=0 group='' backup_group='' deleted_at:time setting:json",
  users:
    "id:id username password display_name role:int=1 status:int=1 email avatar_url='' oidc_id github_id github_id_new:int wechat_id telegram_id:int=0 lark_id access_token quota:int=0 used_quota:int=0 request_count:int=0 group='default' aff_code aff_count:int=0 aff_quota:int=0 aff_history:int=0 inviter_id:int last_login_time:int=0 last_login_ip='' created_time:int deleted_at:time",
  options: 'key value',
  redemptions:
    'id:id user_id:int key status:int=1 name quota:int=100 created_time:int redeemed_time:int',
  logs: "id:id user_id:int created_at:int type:int content username='' token_name='' model_name='' quota:int=0 prompt_tokens:int=0 completion_tokens:int=0 channel_id:int request_time:int=0 is_stream:bool=false source_ip='' metadata:json",
  telegram_menus: "id:id command description='' parse_mode='MarkdownV2' reply_message",
  prices:
    "model type='tokens' channel_type:int=0 input:float=0 output:float=0 locked:bool=false extra_ratios:json",
  midjourneys:
    'id:id code:int user_id:int action mj_id prompt prompt_en description state submit_time:int start_time:int finish_time:int image_url status progress fail_reason channel_id:int quota:int buttons properties mode token_id:int=0',
  payments:
    'id:id type uuid name icon notify_domain fixed_fee:money=0 percent_fee:money=0 currency config sort:int=1 enable:bool=true created_at:int updated_at:int deleted_at:time',
  orders:
    'id:id user_id:int gateway_id:int trade_no gateway_no amount:int=0 order_amount:money=0 order_currency quota:int=0 fee:money=0 discount:money=0 status created_at:int updated_at:int deleted_at:time',
  tasks:
    'id:id created_at:int updated_at:int task_id platform user_id:int channel_id:int quota:int action status fail_reason submit_time:int start_time:int finish_time:int progress:int properties:json data:json notify_hook token_id:int=0',
  statistics:
    'date:date user_id:int channel_id:int model_name request_count:int quota:int prompt_tokens:int completion_tokens:int request_time:int',
  user_groups:
    'id:id symbol name ratio:money=1 api_rate:int=600 public:bool=false promotion:bool=false min:int=0 max:int=0 enable:bool=true',
  webauthn_credentials:
    "id:id user_id:int credential_id:blob public_key:blob attestation_type alias='' backup_eligible:bool=false backup_state:bool=false aa_guid:blob sign_count:int clone_warning:bool attachment created_time:int",
  model_info:
    'id:int model name description context_length:int max_tokens:int input_modalities output_modalities tags support_url created_at:int updated_at:int',
  model_owned_by: 'id:int name icon',
  migrations: 'id',
};

/** CREATE TABLE for every table. */
export function oneHubSchema(engine: Engine): readonly string[] {
  const quoted = (name: string) => (engine === 'mysql' ? `\`${name}\`` : `"${name}"`);
  return Object.entries(tables).map(([table, columns]) => {
    const declared = columns.split(' ').map((column) => {
      const [, name = '', kind = 'str', value] = /^(\w+)(?::(\w+))?(?:=(.*))?$/.exec(column) ?? [];
      const type = kinds[engine][kind as Kind];
      return `${quoted(name)} ${type}${value === undefined ? '' : ` DEFAULT ${value}`}`;
    });
    return `CREATE TABLE ${quoted(table)} (${declared.join(', ')})`;
  });
}

/** Fills an empty PostgreSQL database. */
export async function writeOneHubDatabase(url: string, rows: FamilyRows): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of oneHubSchema('postgres')) await client.query(statement);
    for (const { sql, values } of familyInserts(rows, 'postgres'))
      await client.query(sql, [...values]);
  } finally {
    await client.end();
  }
}

/** A SQLite file with these rows. */
export function writeOneHubFile(path: string, rows: FamilyRows): void {
  const database = new BetterSqlite3(path);
  for (const statement of oneHubSchema('sqlite')) database.exec(statement);
  database.transaction(() => {
    for (const { sql, values } of familyInserts(rows, 'sqlite'))
      database
        .prepare(sql)
        .run(...values.map((value) => (typeof value === 'boolean' ? Number(value) : value)));
  })();
  database.close();
}

/** A price as a row has it. */
export interface OneHubPrice {
  readonly type?: 'tokens' | 'times';
  readonly input: number;
  readonly output: number;
  readonly extra_ratios?: Readonly<Record<string, number>>;
}

/** Tokens as it has them from a reply: `extra` are kinds of those of the prompt or the output. */
export interface OneHubUsage {
  readonly prompt: number;
  readonly completion: number;
  readonly extra?: Readonly<Record<string, number>>;
}

const defaultRatios: Readonly<Record<string, number>> = {
  cached_write_tokens: 1.25,
  cached_read_tokens: 0.1,
};
const ofOutput = /^(output_|reasoning_)/;

/** What a request costs there: GetTotalQuotaByUsage in relay/relay_util/quota.go. */
export function oneHubQuota(
  { type = 'tokens', input, output, extra_ratios = {} }: OneHubPrice,
  { prompt, completion, extra = {} }: OneHubUsage,
  groupRatio: number,
): number {
  if (type === 'times') return Math.trunc(1000 * input * groupRatio);
  let [sent, received] = [prompt, completion];
  for (const [kind, count] of Object.entries(extra)) {
    const ratio = extra_ratios[kind] ?? defaultRatios[kind] ?? 1;
    const more = Math.trunc(count * (ratio - 1));
    if (ofOutput.test(kind)) received += more;
    else sent += more;
  }
  const quota = Math.ceil(sent * (input * groupRatio) + received * (output * groupRatio));
  return input !== 0 && quota <= 0 ? 1 : quota;
}
