import type { Generated } from 'kysely';

/**
 * Tables of payments, postings to come, the journal of charges, tasks, the catalogue, uploads,
 * quota warnings and noted changes; part of the schema in schema.ts.
 */
export interface WorkTables {
  top_ups: TopUpsTable;
  deferred_postings: DeferredPostingsTable;
  midjourneys: MidjourneysTable;
  tasks: TasksTable;
  model_square: ModelSquareTable;
  uploads: UploadsTable;
  task_results: TaskResultsTable;
  quota_warnings: QuotaWarningsTable;
  gifted_ways: GiftedWaysTable;
  losses: LossesTable;
  channel_balances: ChannelBalancesTable;
  charge_journal: ChargeJournalTable;
  row_changes: RowChangesTable;
}

/** Written by triggers (migrations/0064-row-changes.ts). */
interface RowChangesTable {
  kind: string;
  row_key: string;
  tx: number;
  noted_at: number;
}

interface ChargeJournalTable {
  id: Generated<number>;
  applied: number;
}

interface TopUpsTable {
  id: Generated<number>;
  user_id: number;
  amount: Generated<number>;
  money: Generated<number>;
  quota: Generated<number>;
  trade_no: string;
  status: string;
  payment_method: Generated<string>;
  goods_name: Generated<string>;
  create_time: Generated<number>;
  finish_time: Generated<number>;
  provider_trade_no: Generated<string>;
  top_up_code: Generated<string>;
  note: Generated<string>;
  refunded: Generated<number>;
}

interface DeferredPostingsTable {
  id: Generated<number>;
  user_id: number;
  kind: string;
  amount: number;
  reference: string;
  log: Generated<string>;
  created_at: Generated<number>;
}

interface LossesTable {
  name: string;
  kind: string;
  channel_id: number;
  model_name: string;
  detail: string;
  since: number;
  seen: number;
}

interface ChannelBalancesTable {
  channel_id: number;
  read_at: number;
  amount: number;
  currency: string;
}

interface QuotaWarningsTable {
  user_id: number;
  due_at: Generated<number>;
  tries: Generated<number>;
  sent_at: Generated<number>;
}

interface GiftedWaysTable {
  way: string;
  created_at: Generated<number>;
}

interface MidjourneysTable {
  id: Generated<number>;
  code: Generated<number>;
  user_id: number;
  token_id: Generated<number>;
  action: Generated<string>;
  mj_id: Generated<string>;
  prompt: Generated<string>;
  prompt_en: Generated<string>;
  description: Generated<string>;
  state: Generated<string>;
  submit_time: Generated<number>;
  start_time: Generated<number>;
  finish_time: Generated<number>;
  image_url: Generated<string>;
  video_url: Generated<string>;
  video_urls: Generated<string>;
  status: Generated<string>;
  progress: Generated<string>;
  fail_reason: Generated<string>;
  channel_id: Generated<number>;
  quota: Generated<number>;
  buttons: Generated<string>;
  properties: Generated<string>;
  private_data: Generated<string>;
}

interface TasksTable {
  id: Generated<number>;
  created_at: Generated<number>;
  updated_at: Generated<number>;
  task_id: string;
  platform: Generated<string>;
  user_id: number;
  channel_id: Generated<number>;
  quota: Generated<number>;
  action: Generated<string>;
  status: Generated<string>;
  fail_reason: Generated<string>;
  submit_time: Generated<number>;
  start_time: Generated<number>;
  finish_time: Generated<number>;
  progress: Generated<string>;
  properties: Generated<string>;
  data: Generated<string>;
  private_data: Generated<string>;
}

interface ModelSquareTable {
  model: string;
  icon: Generated<string>;
  description: Generated<string>;
  description_en: Generated<string>;
  type: Generated<string>;
  type_en: Generated<string>;
  tags: Generated<string>;
  tags_en: Generated<string>;
  manufacturer: Generated<string>;
  price_type: Generated<number>;
  context: Generated<string>;
  specification: Generated<string>;
  publish_time: Generated<string>;
  status: Generated<number>;
  model_price: string | null;
  created_time: Generated<number>;
  updated_time: Generated<number>;
}

interface UploadsTable {
  id: Generated<number>;
  user_id: number;
  path: string;
  mime: Generated<string>;
  bytes: Generated<number>;
  width: Generated<number>;
  height: Generated<number>;
  sha256: Generated<string>;
  created_at: Generated<number>;
  expires_at: number | null;
}

interface TaskResultsTable {
  task_id: string;
  number: Generated<number>;
  user_id: number;
  state: string;
  path: Generated<string>;
  mime: Generated<string>;
  bytes: Generated<number>;
  tries: Generated<number>;
  due_at: Generated<number>;
  created_at: Generated<number>;
  expires_at: Generated<number>;
}
