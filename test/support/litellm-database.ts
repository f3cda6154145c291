/**
 * A database of LiteLLM's proxy, with the tables and columns that its public schema has
 * (github.com/BerriAI/litellm, schema.prisma at 029f645f, read on 2026-11-29): facts of it, in the
 * types that Prisma gives them.
 */
import { Client } from 'pg';

const kinds: Readonly<Record<string, string>> = {
  id: 'text PRIMARY KEY',
  str: 'text',
  int: 'integer',
  big: 'bigint',
  usd: 'double precision',
  bool: 'boolean',
  // Of UTC, without a zone.
  time: 'timestamp(3)',
  json: 'jsonb',
  list: "text[] DEFAULT '{}'",
};

const limits =
  'max_budget:usd max_parallel_requests:int tpm_limit:big rpm_limit:big budget_duration budget_reset_at:time model_max_budget:json';

const tables: Readonly<Record<string, string>> = {
  LiteLLM_UserTable: `user_id:id user_alias team_id sso_user_id organization_id password teams:list user_role spend:usd user_email models:list metadata:json ${limits} created_at:time updated_at:time`,
  LiteLLM_TeamTable: `team_id:id team_alias organization_id admins:list members:list members_with_roles:json metadata:json soft_budget:usd spend:usd models:list blocked:bool budget_limits:json ${limits} created_at:time updated_at:time`,
  LiteLLM_VerificationToken: `token:id key_name key_alias spend:usd expires:time models:list aliases:json config:json user_id team_id permissions:json metadata:json blocked:bool allowed_routes:list budget_id budget_limits:json ${limits} created_at:time last_active:time`,
  LiteLLM_BudgetTable: `budget_id:id soft_budget:usd ${limits} created_at:time created_by`,
  LiteLLM_TeamMembership: 'user_id team_id spend:usd total_spend:usd budget_id',
  LiteLLM_ProxyModelTable:
    'model_id:id model_name litellm_params:json model_info:json blocked:bool created_at:time created_by',
  LiteLLM_CredentialsTable: 'credential_id:id credential_name credential_values:json',
  LiteLLM_Config: 'param_name:id param_value:json',
  LiteLLM_OrganizationTable: 'organization_id:id organization_alias budget_id spend:usd',
  LiteLLM_EndUserTable: 'user_id:id alias spend:usd budget_id blocked:bool',
  LiteLLM_SpendLogs:
    'request_id:id call_type api_key spend:usd total_tokens:int prompt_tokens:int completion_tokens:int startTime:time endTime:time completionStartTime:time model model_id model_group custom_llm_provider api_base user metadata:json cache_hit cache_key request_tags:json team_id end_user requester_ip_address messages:json response:json session_id status proxy_server_request:json',
  LiteLLM_DailyUserSpend: 'id:id user_id date spend:usd',
  _prisma_migrations: 'id:id migration_name',
};

export type LitellmRows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** Rows of tables, in which lists of texts are lists and other objects JSON. */
export async function writeLitellmDatabase(url: string, rows: LitellmRows): Promise<void> {
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
    await addLitellmRows(client, rows);
  } finally {
    await client.end();
  }
}

export async function addLitellmRows(client: Client, rows: LitellmRows): Promise<void> {
  for (const [table, found] of Object.entries(rows)) {
    const lists = new Set(
      tables[table]?.split(' ').flatMap((one) => (one.endsWith(':list') ? [one.slice(0, -5)] : [])),
    );
    for (const row of found) {
      const names = Object.keys(row);
      await client.query(
        `INSERT INTO "${table}" (${names.map((name) => `"${name}"`).join(', ')})
         VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
        names.map((name) => {
          const value = row[name];
          return typeof value === 'object' && value !== null && !lists.has(name)
            ? JSON.stringify(value)
            : value;
        }),
      );
    }
  }
}
