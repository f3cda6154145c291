/**
 * An error code's properties. `status` is the HTTP status on relay routes, and on `/api` where the
 * console API replies with a status other than 200 (see contract/envelope.ts). `local` errors are
 * caused by the caller or the operator: they are never retried on another channel and never count
 * against a channel (docs/rules/relay.md#error-kinds). `final` tells clients that a retry is
 * useless (docs/rules/relay.md#retry-headers). The messages are in `i18n` under `error.<code>`.
 */
export interface ErrorSpec {
  readonly status: number;
  readonly local: boolean;
  readonly final?: boolean;
  /**
   * `type` and `param` in the error body, where clients know OpenAI's own error by them. Absent:
   * the gateway's type.
   */
  readonly wire?: { readonly type: string; readonly param?: string };
}

const local = (status: number): ErrorSpec => ({ status, local: true });
const final = (status: number): ErrorSpec => ({ status, local: true, final: true });
/** An error that OpenAI's clients know. */
const known = (status: number, param?: string): ErrorSpec => ({
  status,
  local: true,
  final: true,
  wire: { type: 'invalid_request_error', ...(param === undefined ? {} : { param }) },
});
const upstream = (status: number): ErrorSpec => ({ status, local: false });

export const errorTable = {
  // tokens (docs/rules/relay.md#token-checks)
  token_missing: final(401),
  token_unknown: final(401),
  token_exhausted: final(401),
  token_expired: final(401),
  token_disabled: final(401),
  token_changing: local(503),
  user_deactivated: final(401),
  user_banned: final(403),
  channel_pin_forbidden: final(403),
  channel_pin_invalid: final(400),
  channel_pin_disabled: final(403),
  ip_not_allowed: final(403),
  group_not_allowed: final(403),
  group_retired: final(403),
  model_not_allowed: final(403),

  // requests (docs/rules/relay.md#required-fields)
  invalid_json: final(400),
  invalid_request: final(400),
  model_required: final(400),
  invalid_text_request: final(400),
  invalid_embedding_request: final(400),
  invalid_image_request: final(400),
  invalid_audio_request: final(400),
  invalid_query: final(400),
  invalid_documents: final(400),
  invalid_form: final(400),
  invalid_claude_request: final(400),
  unsupported_feature: final(400),
  unsupported_operation: final(400),
  unsupported_encoding: final(415),
  invalid_encoding: final(400),
  request_too_large: final(413),
  request_too_complex: final(400),
  request_overcompressed: final(413),
  too_much_in_flight: local(429),
  sensitive_words_detected: final(400),
  file_unreachable: final(400),
  file_too_large: final(400),
  address_not_allowed: final(400),
  // uploaded files (docs/rules/files.md#limits)
  file_missing: final(400),
  too_many_files: final(400),
  image_type_unsupported: final(400),
  image_damaged: final(400),
  image_too_large: final(400),
  image_sides_invalid: final(400),
  upload_not_found: final(400),
  upload_space_used: final(400),
  storage_full: local(507),
  // results of tasks (docs/rules/files.md#results)
  result_not_ready: final(400),
  result_gone: final(410),
  result_unreachable: local(502),
  link_invalid: final(403),
  rate_limited: local(429),
  websocket_required: final(426),
  api_not_implemented: final(501),
  unknown_url: final(404),
  model_not_found: final(404),

  // stored responses (docs/rules/responses.md#errors)
  previous_response_not_found: known(400, 'previous_response_id'),
  response_item_not_found: known(404, 'input'),
  conversation_not_found: known(404, 'conversation'),
  conversation_locked: { ...known(400, 'conversation'), final: false },
  conversation_not_stored: known(400, 'conversation'),
  response_not_found: known(404),
  response_not_cancellable: known(400),
  background_not_stored: known(400, 'background'),
  too_many_background: local(429),

  // long work (docs/rules/tasks.md#errors)
  tasks_disabled: final(403),
  drawing_disabled: final(403),
  task_not_exist: final(400),
  result_link_invalid: final(403),
  task_channel_disabled: final(400),
  // drawings, in the words of their API (docs/rules/midjourney.md#errors)
  drawing_refused: final(400),

  // money (docs/rules/ledger.md#admission)
  model_price_error: final(403),
  model_mapped_error: final(403),
  insufficient_user_quota: final(403),
  pre_consume_token_quota_failed: final(403),
  small_hold_busy: local(429),
  tags_invalid: final(400),
  budget_exceeded: final(429),
  budget_closed: final(429),
  rate_requests: local(429),
  rate_tokens: local(429),
  rate_parallel: local(429),
  fence_requests: final(429),
  fence_minutes: final(429),
  fence_repeats: final(429),
  fence_pace: final(429),
  ledger_unavailable: local(503),
  database_replaced: local(503),
  ledger_outcome_unknown: local(503),
  ledger_refused: local(500),
  ledger_conflict: local(409),
  balance_limit: final(400),
  amount_limit: final(400),

  // routing
  no_channel: final(503),
  get_playground_channel_failed: local(500),
  shutting_down: local(503),
  server_busy: local(503),

  // upstream (docs/rules/relay.md#error-kinds)
  convert_request_failed: final(500),
  refused_by_rule: final(400),
  do_request_failed: upstream(502),
  upstream_cut: upstream(502),
  upstream_timeout: upstream(504),
  bad_response_status_code: upstream(502),
  bad_response_body: upstream(502),
  empty_response: upstream(502),
  prompt_blocked: { ...upstream(400), final: true },
  upstream_error: upstream(502),
  upstream_unauthorized: { ...upstream(502), final: true },
  upstream_saturated: upstream(429),
  invalid_channel_key: { ...upstream(502), final: true },
  client_gone: final(499),
  internal_error: local(500),
  key_unreadable: local(500),

  // sign-in and accounts (docs/rules/accounts.md#who-may-do-what)
  not_signed_in: local(401),
  user_id_missing: local(401),
  user_id_malformed: local(401),
  user_id_mismatch: local(401),
  access_token_invalid: local(401),
  access_token_not_supported: local(400),
  forbidden: local(403),
  cross_site_request: local(403),
  already_set_up: local(400),
  setup_token_wrong: local(400),
  passwords_differ: local(400),
  not_set_up: local(409),
  invalid_parameter: local(400),
  not_found: local(404),
  conflict: local(409),
  password_login_disabled: local(403),
  phone_login_disabled: local(403),
  registration_disabled: local(403),
  wrong_credentials: local(401),
  oauth_state_invalid: local(403),
  sign_in_method_disabled: local(403),
  provider_failed: upstream(502),
  provider_refused: local(403),
  provider_account_inactive: local(403),
  trust_level_too_low: local(403),
  id_token_invalid: local(403),
  wechat_code_invalid: local(400),
  telegram_invalid: local(403),
  identity_taken: local(409),
  identity_unbound: local(403),
  identity_bind_again: local(403),
  last_sign_in_method: local(409),
  account_locked: local(429),
  sign_in_busy: local(503),
  // the second factor (docs/rules/accounts.md#second-factor)
  second_factor_required: local(403),
  second_factor_invalid: local(400),
  second_factor_used: local(400),
  second_factor_setup_required: local(403),
  sign_in_expired: local(400),
  step_up_required: local(403),
  session_required: local(403),
  passkey_invalid: local(400),
  passkey_unavailable: local(400),
  too_many_passkeys: local(409),
  username_taken: local(409),
  username_invalid: local(400),
  password_invalid: local(400),
  password_too_common: local(400),
  original_password_wrong: local(403),
  group_unknown: local(400),
  user_read_forbidden: local(403),
  user_update_forbidden: local(403),
  user_create_forbidden: local(403),
  user_delete_forbidden: local(403),
  user_role_forbidden: local(403),
  root_cannot_be_disabled: local(403),
  root_cannot_be_deleted: local(403),
  root_cannot_be_demoted: local(403),
  deactivated_cannot_be_enabled: local(409),
  only_root_promotes: local(403),
  already_admin: local(409),
  already_user: local(409),
  already_deactivated: local(409),
  not_on_yourself: local(403),
  own_quota_forbidden: local(403),
  transfer_too_small: local(400),
  invite_quota_insufficient: local(403),
  warning_type_invalid: local(400),
  webhook_url_invalid: local(400),
  mail_not_configured: local(400),
  mail_address_invalid: local(400),
  mail_failed: upstream(502),
  webhook_failed: local(502),
  no_notice_address: local(400),
  test_notice_too_soon: local(429),
  mail_too_soon: local(429),
  server_address_missing: local(400),
  email_and_code_required: local(400),
  email_domain_forbidden: local(400),
  email_alias_forbidden: local(400),
  email_taken: local(409),
  verification_code_invalid: local(401),
  phone_invalid: local(400),
  phone_taken: local(409),
  phone_not_bound: local(409),
  phone_check_required: local(403),
  check_code_invalid: local(401),
  sms_not_configured: local(400),
  sms_failed: upstream(502),
  sms_too_soon: local(429),
  sms_limit: local(429),
  human_check_missing: local(400),
  human_check_failed: local(403),
  human_check_unavailable: upstream(502),
  reset_link_invalid: local(400),
  not_me_link_invalid: local(400),
  demo_site: local(405),

  // tokens, channels, codes
  name_required: local(400),
  name_too_long: local(400),
  expiry_invalid: local(400),
  token_quota_invalid: local(400),
  allow_ips_invalid: local(400),
  token_still_expired: local(409),
  token_still_exhausted: local(409),
  too_many_tokens: local(409),
  playground_full: local(409),
  chat_history_off: local(409),
  bulk_too_many: local(400),
  channel_name_and_key_required: local(400),
  channel_models_required: local(400),
  channel_type_unknown: local(400),
  channel_region_required: local(400),
  channel_other_required: local(400),
  channel_other_invalid: local(400),
  channel_key_required_again: local(400),
  header_text_invalid: local(400),
  channel_base_url_required: local(400),
  model_name_too_long: local(400),
  json_object_required: local(400),
  model_mapping_cycle: local(400),
  channel_rule_invalid: local(400),
  weight_invalid: local(400),
  release_address_missing: local(400),
  release_lookup_failed: local(502),
  channel_last_key: local(400),
  channel_test_unsupported: local(400),
  channel_test_running: local(409),
  channel_balance_unsupported: local(400),
  channel_models_unsupported: local(400),
  model_list_unreadable: local(400),
  model_list_unsigned: local(400),
  model_list_expired: local(400),
  model_sync_running: local(409),
  model_list_outdated: local(400),
  tag_required: local(400),
  code_name_invalid: local(400),
  budget_field_invalid: local(400),
  budget_forbidden: local(403),
  code_count_invalid: local(400),
  code_quota_invalid: local(400),
  code_not_unused: local(409),
  code_missing: local(400),
  code_unknown: local(404),
  code_used: local(409),
  code_expired: local(409),

  // the model square (docs/rules/console-api.md#model-entry)
  catalog_model_exists: local(409),
  catalog_model_unknown: local(404),
  catalog_field_required: local(400),
  catalog_field_too_long: local(400),
  catalog_too_many_words: local(400),
  catalog_model_invalid: local(400),
  catalog_icon_invalid: local(400),
  catalog_date_invalid: local(400),
  catalog_context_invalid: local(400),
  catalog_choice_invalid: local(400),
  catalog_price_invalid: local(400),

  // payments (docs/rules/payments.md)
  payment_not_configured: local(400),
  payment_failed: upstream(502),
  payment_method_unknown: local(400),
  payment_signature_invalid: local(401),
  payment_notice_invalid: local(400),
  top_up_too_small: local(400),
  top_up_money_too_low: local(400),
  top_up_code_invalid: local(400),
  order_unknown: local(404),
  order_already_paid: local(409),
  price_source_unreadable: local(400),
  price_below_cost: local(409),
  price_source_changed: local(409),
  order_not_paid: local(409),
  refund_sum_invalid: local(400),
  refund_not_offered: local(400),
  refund_failed: upstream(502),
  refund_busy: local(409),

  // options
  option_unknown: local(404),
  option_invalid: local(400),
  option_needs: local(400),
  option_in_use: local(409),
  config_apply_running: local(409),
  config_changed_meanwhile: local(409),
  target_time_required: local(400),
  target_time_future: local(400),
  log_prune_running: local(409),
  operator_only: local(403),
  archive_place: local(503),
  archive_damaged: local(422),
  archive_foreign: local(422),
  range_too_long: local(400),
  feature_unavailable: local(400),

  // the process
  data_folder_locked: local(409),
  secret_file_damaged: local(500),
  site_key_missing: local(500),
  site_key_wrong: local(500),
  gateway_unreachable: upstream(502),
  database_unavailable: upstream(503),
  redis_unavailable: upstream(503),
  redis_needs_postgres: local(400),
  workers_need_postgres: local(400),
  ledger_drift: local(500),

  // imports (docs/rules/import.md)
  import_source_unreadable: local(400),
  import_source_foreign: local(400),
  import_source_incomplete: local(400),
  import_family_wrong: local(400),
  import_target_not_empty: local(409),
  import_ids_taken: local(409),
  import_proof_failed: local(500),
  import_interrupted: local(500),
  import_salt_key_wrong: local(400),
  // backups (docs/rules/maintenance.md)
  backup_target: local(409),
  backup_foreign: local(422),
  backup_damaged: local(422),
  backup_newer: local(422),
  backup_key_missing: local(409),
  backup_place: local(503),
  backup_none: local(404),
  backup_sealed: local(400),
  backup_passphrase: local(400),
  backup_room: local(507),
  upgrade_failed: local(500),
  restore_not_empty: local(409),
  site_missing: local(400),
  user_unknown: local(404),
  database_missing: local(404),
  database_lost: local(500),
  database_newer: local(409),
  migrations_pending: local(409),
  database_foreign: local(409),
  database_in_use: local(409),
} as const satisfies Record<string, ErrorSpec>;

export type ErrorCode = keyof typeof errorTable;
export type ErrorParams = Readonly<Record<string, string | number>>;

/**
 * The only error that this code base throws on purpose. `message` is for logs; users see the text
 * of `error.<code>`.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly params: ErrorParams;

  constructor(code: ErrorCode, params: ErrorParams = {}, options?: { cause?: unknown }) {
    super(code + (Object.keys(params).length > 0 ? ` ${JSON.stringify(params)}` : ''), options);
    this.name = 'AppError';
    this.code = code;
    this.params = params;
  }

  get status(): number {
    return errorTable[this.code].status;
  }
}

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorTable, text);
}
