/**
 * Why an import changed a value, left a row out, or what an operator should look at afterwards
 * (docs/rules/import.md#reasons).
 */
export const importReasons = [
  'number_out_of_range',
  'invalid_json',
  'name_suffixed',
  'email_dropped',
  'identity_dropped',
  'access_token_dropped',
  'invite_code_dropped',
  'deleted_user',
  'deleted_here',
  'password_missing',
  'id_unusable',
  'id_taken',
  'duplicate_key',
  'key_missing',
  'bad_address_disabled',
  'range_now_allowed',
  'group_auto',
  'type_unknown',
  'type_unsupported',
  'url_shortened',
  'url_check',
  'config_invalid',
  'option_invalid',
  'option_entry_dropped',
  'option_unknown_kept',
  'option_not_used',
  'trade_number_suffixed',
  'method_unknown',
  'log_type_changed',
  'rows_summed',
  'owner_missing',
  'factor_inactive',
  'factor_unusable',
  'task_ended',
  'column_left_out',
] as const;
export type ImportReason = (typeof importReasons)[number];

export const importFamilies = ['newapi', 'oneapi'] as const;
export type ImportFamily = (typeof importFamilies)[number];
