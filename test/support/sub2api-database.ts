/** A database of sub2api with the tables and columns that its releases of 2026 have. */
import { Client } from 'pg';

/** Column types as its migrations have them. */
const kinds: Readonly<Record<string, string>> = {
  id: 'bigserial PRIMARY KEY',
  int: 'bigint',
  str: 'text',
  bool: 'boolean',
  usd: 'numeric(20,8)',
  cost: 'numeric(20,10)',
  ratio: 'numeric(10,4)',
  time: 'timestamptz',
  json: 'jsonb',
};

const tables: Readonly<Record<string, string>> = {
  users:
    'id:id email password_hash role balance:usd frozen_balance:usd concurrency:int status username notes totp_secret_encrypted totp_enabled:bool total_recharged:usd rpm_limit:int created_at:time updated_at:time deleted_at:time',
  groups:
    'id:id name description rate_multiplier:ratio is_exclusive:bool status platform subscription_type daily_limit_usd:usd weekly_limit_usd:usd monthly_limit_usd:usd created_at:time deleted_at:time',
  accounts:
    'id:id name platform type credentials:json extra:json proxy_id:int concurrency:int priority:int status schedulable:bool error_message created_at:time updated_at:time deleted_at:time',
  account_groups: 'account_id:int group_id:int priority:int',
  proxies: 'id:id name protocol host port:int username password status deleted_at:time',
  api_keys:
    'id:id user_id:int key name group_id:int status last_used_at:time ip_whitelist:json ip_blacklist:json quota:usd quota_used:usd expires_at:time rate_limit_5h:usd rate_limit_1d:usd rate_limit_7d:usd created_at:time updated_at:time deleted_at:time',
  redeem_codes:
    'id:id code type value:usd status used_by:int used_at:time notes group_id:int validity_days:int created_at:time',
  payment_orders:
    'id:id user_id:int amount:usd pay_amount:usd out_trade_no payment_type order_type status created_at:time completed_at:time',
  user_subscriptions:
    'id:id user_id:int group_id:int starts_at:time expires_at:time status daily_window_start:time weekly_window_start:time monthly_window_start:time daily_usage_usd:cost weekly_usage_usd:cost monthly_usage_usd:cost deleted_at:time',
  usage_logs:
    'id:id user_id:int api_key_id:int account_id:int request_id model group_id:int subscription_id:int input_tokens:int output_tokens:int cache_creation_tokens:int cache_read_tokens:int input_cost:cost output_cost:cost total_cost:cost actual_cost:cost rate_multiplier:ratio billing_type:int stream:bool duration_ms:int first_token_ms:int ip_address created_at:time',
  auth_identities: 'id:id user_id:int provider_type provider_key provider_subject',
  settings: 'id:id key value',
  user_group_rate_multipliers: 'user_id:int group_id:int rate_multiplier:ratio',
};

export type Sub2apiRows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

export async function writeSub2apiDatabase(url: string, rows: Sub2apiRows): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const [table, columns] of Object.entries(tables)) {
      const described = columns.split(' ').map((column) => {
        const [name = '', kind = 'str'] = column.split(':');
        return `"${name}" ${kinds[kind]}`;
      });
      await client.query(`CREATE TABLE "${table}" (${described.join(', ')})`);
    }
    for (const [table, found] of Object.entries(rows)) {
      for (const row of found) {
        const names = Object.keys(row);
        await client.query(
          `INSERT INTO "${table}" (${names.map((name) => `"${name}"`).join(', ')})
           VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
          Object.values(row).map((value) =>
            typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
          ),
        );
      }
    }
  } finally {
    await client.end();
  }
}
