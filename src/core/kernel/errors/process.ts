/** Errors of the process, of imports and of backups. */
import { type ErrorSpec, local, upstream } from './spec.ts';

export const processErrors = {
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
  gateway_data_elsewhere: local(409),
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
