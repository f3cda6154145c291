import type { processErrors } from '../../../kernel/errors/process.ts';

export const processWords = {
  'error.data_folder_locked':
    'Another process is using the data folder[ {folder}]. Wait until it has ended or stop it, or choose another folder with --data-dir',
  'error.secret_file_damaged':
    'The key file[ {path}] is damaged. Restore it from a backup: without it, stored provider keys and sessions cannot be read',
  'error.site_key_missing':
    'The stored keys cannot be decrypted[: {file} is missing]. Put back the secret.json (or CRYPTO_SECRET) with which the database was written; earlier ones may be in snapshots/. Nothing was changed',
  'error.site_key_wrong':
    'The stored keys cannot be decrypted[: {file} is that of another site]. Put back the secret.json (or CRYPTO_SECRET) with which the database was written; earlier ones may be in snapshots/. Nothing was changed',
  'error.gateway_unreachable': 'The gateway cannot be reached[: {address}]',
  'error.database_unavailable': 'The database[ {file}] is not available[: {problem}][ ({reason})]',
  'error.redis_unavailable': 'Redis is not available[: {reason}]',
  'error.redis_needs_postgres':
    'Redis is for several processes on PostgreSQL: set a PostgreSQL database, or remove the address of Redis',
  'error.workers_need_postgres':
    'Several workers need PostgreSQL (--database-url) and Redis (--redis-url), which they share',
  'error.ledger_drift': 'The ledger and the balance do not match[: {account}]',
  'error.import_source_unreadable': 'The source[ {source}] cannot be read[: {problem}]',
  'error.import_source_foreign':
    'The source[ {source}] is not a database of One API, New API, one-hub, sub2api or LiteLLM[: these tables are missing: {tables}]',
  'error.import_source_incomplete':
    'The source was not migrated completely[: its table {table} has no column {columns}]. Start the old program once and try again',
  'error.import_family_wrong':
    'The source is a database of the other program[, {found}: use `turnpike import {command}`]',
  'error.import_target_not_empty':
    'This site has users of its own. Import into an empty data folder, or add --force if none of them has the id of a user of the source',
  'error.import_ids_taken':
    'Users of this site have the ids of users of the source[: {ids}]. Import into an empty data folder',
  'error.import_proof_failed':
    'Nothing was imported, because counts or sums differ[: {figure} of {table} should be {expected}, but is {found}]',
  'error.import_salt_key_wrong':
    'Nothing of the source can be decrypted: LITELLM_SALT_KEY, or the master key where there is none, is another one than it was encrypted with',
  'error.import_interrupted': 'The import was interrupted. Nothing was imported',
  'error.gateway_data_elsewhere':
    'The gateway that runs on this data folder has its data in another place[: {wanted}][ instead of {read}]. Give this command the settings of the gateway[: {setting}]',
  'error.backup_target':
    '[{file}: ]Something that is not a backup is there, and it is not replaced: choose another name',
  'error.backup_foreign': '[{file}: ]This is not a backup of Turnpike',
  'error.backup_damaged': 'The backup[ {file}] is damaged or incomplete',
  'error.backup_newer':
    'The backup[ {file}] was written by a newer version[ ({version})]: install that version first',
  'error.backup_key_missing':
    'The secrets in this backup cannot be decrypted: it has no key file, and the data folder[ {folder}] does not have the right one. Copy secret.json of the backed-up site there, or set CRYPTO_SECRET',
  'error.backup_place':
    'Backups cannot be kept[ in {place}][: set {setting}][: {problem}][: {detail}]',
  'error.backup_none': 'There is no such backup[ in {place}][: {name}]',
  'error.backup_sealed':
    'The backup[ {file}] is encrypted: give its passphrase in BACKUP_PASSPHRASE or with --backup-passphrase-stdin',
  'error.backup_passphrase': 'The passphrase is not that of the backup[ {file}]',
  'error.backup_room':
    'The disk[ of {folder}] has too little room for a copy of the site[: {megabytes} MB are needed]',
  'error.upgrade_failed':
    'The site does not work with this version, so its database was put back as it was[: {reason}]',
  'error.restore_not_empty':
    'There is a database already[: {target}]. With --force it is replaced, and a copy of it is kept',
  'error.site_missing':
    'There is no site[ in {folder}][ ({file} does not exist)]. Check --data-dir and TURNPIKE_DATA_DIR; turnpike setup makes a new site',
  'error.user_unknown': 'There is no such user[: {user}]',
  'error.database_missing': 'There is no database[: {file}]',
  'error.database_lost':
    'The database[ {file}] is missing or empty, but files that belong to it are there[: {names}]. Put the database back beside them, or restore a backup with `turnpike restore`. Nothing was changed',
  'error.database_newer':
    'The database has been used by a newer version of Turnpike[ (migration {step})]: run that version',
  'error.migrations_pending':
    'The database is that of an earlier version[: {count} {count:migration is|migrations are} pending]. Back up, then run `turnpike migrate` or start the gateway. Nothing was changed',
  'error.database_foreign':
    'The database[ {file}] belongs to another program: name an empty one, or move in with `turnpike import`',
  'error.database_in_use':
    'The database is in use[ by {count} other {count:connection|connections}]: stop all gateways first',
} satisfies Record<`error.${keyof typeof processErrors}`, string>;
