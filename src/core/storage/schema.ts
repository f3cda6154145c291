import type { Generated } from 'kysely';
import type { channelFields } from '../entities/channel.ts';
import type { logFields } from '../entities/log.ts';
import type { redemptionFields } from '../entities/redemption.ts';
import type { tokenFields } from '../entities/token.ts';
import type { userFields } from '../entities/user.ts';
import type { ColumnsOf } from './entity-columns.ts';
import type { LedgerTables } from './schema-ledger.ts';
import type { ResponseTables } from './schema-responses.ts';
import type { WorkTables } from './schema-work.ts';

/**
 * The tables and columns in SQL, with New API's column names (docs/rules/process.md#tables). Flags
 * are 0 or 1, times are Unix seconds (drawing tasks and channel health: milliseconds), JSON is
 * stored as text, secrets are encrypted (vault.ts).
 */
export interface Database extends LedgerTables, ResponseTables, WorkTables {
  users: UsersTable;
  user_identities: UserIdentitiesTable;
  tokens: TokensTable;
  channels: ChannelsTable;
  abilities: AbilitiesTable;
  options: OptionsTable;
  redemptions: RedemptionsTable;
  logs: ColumnsOf<typeof logFields>;
  quota_data: QuotaDataTable;
  channel_usage: ChannelUsageTable;
  tag_usage: TagUsageTable;
  channel_key_usage: ChannelKeyUsageTable;
  request_outcomes: RequestOutcomesTable;
  log_days: LogDaysTable;
  log_sums: LogSumsTable;
  log_site_sums: LogSiteSumsTable;
  setups: SetupsTable;
  sessions: SessionsTable;
  totp_secrets: TotpSecretsTable;
  passkeys: PasskeysTable;
  recovery_codes: RecoveryCodesTable;
  verification_codes: VerificationCodesTable;
  audit_logs: AuditLogsTable;
  rollup_order: RollupOrderTable;
  locks: LocksTable;
  nodes: NodesTable;
  channel_health: ChannelHealthTable;
  playground_items: PlaygroundItemsTable;
}

export type TableName = keyof Database;

interface UsersTable extends ColumnsOf<typeof userFields> {
  /** Lower case, unique: the same rule on every engine. */
  username_normalized: string;
  password: string;
}

interface UserIdentitiesTable {
  user_id: number;
  provider: string;
  subject: string;
  created_at: Generated<number>;
}

interface TokensTable extends ColumnsOf<typeof tokenFields> {
  key_enc: string;
}

interface ChannelsTable extends ColumnsOf<typeof channelFields> {
  key_hash: string;
  key_enc: string;
}

interface RedemptionsTable extends ColumnsOf<typeof redemptionFields> {
  key_hash: string;
  key_enc: string;
}

interface AbilitiesTable {
  group: string;
  model: string;
  channel_id: number;
  enabled: number;
  priority: number;
  weight: number;
  tag: string;
}

interface OptionsTable {
  key: string;
  value: string;
  /** 1: `value` is encrypted. */
  sealed: number;
}

interface QuotaDataTable {
  id: Generated<number>;
  user_id: number;
  username: string;
  model_name: string;
  created_at: number;
  token_used: number;
  count: number;
  quota: number;
}

interface ChannelUsageTable {
  created_at: number;
  channel_id: number;
  model_name: string;
  count: number;
  quota: number;
  token_used: number;
  cost: number;
  costed_count: number;
  costed_quota: number;
}

interface ChannelKeyUsageTable {
  channel_id: number;
  key_name: string;
  created_at: number;
  count: number;
  quota: number;
}

interface TagUsageTable {
  user_id: number;
  created_at: number;
  tag: string;
  count: number;
  quota: number;
  token_used: number;
}

interface RequestOutcomesTable {
  user_id: number;
  created_at: number;
  succeeded: number;
  failed: number;
  refused: number;
  unlogged: number;
}

/** The days whose log rows are summed in `log_sums`; a day begins at midnight UTC. */
interface LogDaysTable {
  day: number;
  row_count: number;
  quota: number;
}

interface LogSumsTable {
  day: number;
  user_id: number;
  username: string;
  type: number;
  model_name: string;
  token_name: string;
  token_id: number;
  channel_id: number;
  group: string;
  row_count: number;
  quota: number;
}

/** The same without users and tokens: much fewer rows. */
type LogSiteSumsTable = Omit<LogSumsTable, 'user_id' | 'username' | 'token_name' | 'token_id'>;

interface SetupsTable {
  id: number;
  version: string;
  initialized_at: number;
}

interface SessionsTable {
  id_hash: string;
  user_id: number;
  created_at: number;
  last_seen: number;
  expires_at: number;
  ip: string;
  user_agent: string;
  method: string;
  confirmed_at: number;
}

interface TotpSecretsTable {
  user_id: number;
  secret_enc: string;
  confirmed_at: number;
  last_step: number;
  created_at: number;
}

interface PasskeysTable {
  id: Generated<number>;
  user_id: number;
  credential_id: string;
  public_key: string;
  counter: number;
  transports: string;
  rp_id: string;
  name: string;
  backed_up: number;
  created_at: number;
  last_used_at: number;
}

interface RecoveryCodesTable {
  user_id: number;
  code_hash: string;
}

interface VerificationCodesTable {
  purpose: string;
  subject_hash: string;
  code_hash: string;
  tries: number;
  expires_at: number;
  payload: string;
}

interface RollupOrderTable {
  id: number;
  hour: number;
}

interface AuditLogsTable {
  id: Generated<number>;
  actor_id: number;
  actor_name: string;
  actor_role: number;
  action: string;
  target: string;
  detail: string;
  ip: string;
  created_at: number;
}

interface LocksTable {
  name: string;
  owner: string;
  expires_at: number;
}

interface NodesTable {
  id: string;
  host: string;
  data_dir: string;
  address: string;
  version: string;
  started_at: number;
  seen_at: number;
  wish: Generated<string>;
  state: Generated<string>;
  under_way: Generated<number>;
}

interface ChannelHealthTable {
  health_key: string;
  kind: string;
  model: Generated<string>;
  since: Generated<number>;
  until: number;
  pause: Generated<number>;
  requested: Generated<number>;
  cause: Generated<string>;
}

interface PlaygroundItemsTable {
  user_id: number;
  kind: string;
  item_id: string;
  size: number;
  changed_at: number;
  content: string;
}
