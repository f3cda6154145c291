/** What is kept, where and for how long: backups, archives, files, metrics. */
import { isBackupSchedule } from './backup-schedule.ts';
import { flag, setting, text, whole } from './setting.ts';

export const keepingSettings = {
  snapshotBeforeMigration: setting({
    names: ['SNAPSHOT_BEFORE_MIGRATION'],
    schema: flag,
    fallback: true,
    summary: 'SQLite: copy the database before migrations change it; the newest 3 copies are kept',
  }),
  backupAgeDays: setting({
    names: ['BACKUP_AGE_DAYS'],
    schema: whole(0, 36_500),
    fallback: 7,
    summary:
      '`turnpike doctor` warns if the newest `turnpike backup` is older; 0: backups are made by other means',
  }),
  backupTo: setting({
    names: ['BACKUP_TO'],
    schema: text,
    fallback: '',
    summary:
      'Where the gateway keeps its own backups: a folder, or `s3://bucket/path`; without one it makes none',
  }),
  backupSchedule: setting({
    names: ['BACKUP_SCHEDULE'],
    schema: text.trim().refine(isBackupSchedule),
    allowed: 'off, hourly, daily 03:00, weekly 03:00',
    fallback: 'daily 03:00',
    summary:
      'When: `off`, `hourly`, `daily 03:00` or `weekly 03:00` (Sundays), in the time zone of the machine',
  }),
  backupKeep: setting({
    names: ['BACKUP_KEEP'],
    schema: whole(1, 10_000),
    allowed: '1-10000',
    fallback: 14,
    summary: 'How many of them are kept',
  }),
  backupPassphrase: setting({
    names: ['BACKUP_PASSPHRASE'],
    schema: text,
    fallback: '',
    summary: 'Encrypts them, and then the key file is in them, too: keep it in a safe place',
    secret: true,
  }),
  backupFiles: setting({
    names: ['BACKUP_FILES'],
    schema: flag,
    fallback: true,
    summary: 'Whether uploaded images and stored results are in them',
  }),
  backupS3Endpoint: setting({
    names: ['BACKUP_S3_ENDPOINT'],
    schema: text,
    fallback: '',
    summary: 'https://… of the store of a bucket, without the name of the bucket',
  }),
  backupS3Region: setting({
    names: ['BACKUP_S3_REGION', 'AWS_REGION'],
    schema: text,
    fallback: 'us-east-1',
    summary: 'Region that requests to the bucket are signed for',
  }),
  backupS3AccessKey: setting({
    names: ['BACKUP_S3_ACCESS_KEY', 'AWS_ACCESS_KEY_ID'],
    schema: text,
    fallback: '',
    summary: 'Access key of the bucket',
    secret: true,
  }),
  backupS3SecretKey: setting({
    names: ['BACKUP_S3_SECRET_KEY', 'AWS_SECRET_ACCESS_KEY'],
    schema: text,
    fallback: '',
    summary: 'Its secret key',
    secret: true,
  }),
  ledgerSealFile: setting({
    names: ['LEDGER_SEAL_FILE'],
    schema: text,
    fallback: '',
    summary:
      'File to which the newest link of the ledger is appended once an hour, on another disk or machine',
  }),
  uploadDir: setting({
    names: ['UPLOAD_DIR'],
    schema: text,
    fallback: '',
    summary: 'Folder of uploaded images and stored results; `uploads` in the data folder',
  }),
  archiveDir: setting({
    names: ['ARCHIVE_DIR'],
    schema: text,
    fallback: '',
    summary:
      'Where old rows are archived before they are deleted: a folder, or `s3://bucket/path` with the settings of backups; `archive` in the data folder',
  }),
  storeTaskResults: setting({
    names: ['STORE_TASK_RESULTS'],
    schema: flag,
    fallback: false,
    summary: 'Keep a copy of finished videos, whose addresses expire at the provider after a day',
  }),
  taskResultDays: setting({
    names: ['TASK_RESULT_DAYS'],
    schema: whole(1, 36_500),
    fallback: 30,
    summary: 'Days for which these copies are kept',
  }),

  metricsToken: setting({
    names: ['METRICS_TOKEN'],
    schema: text,
    fallback: '',
    summary: 'Bearer token for `/metrics`; without one there are no metrics',
    secret: true,
  }),

  otlpEndpoint: setting({
    names: ['OTEL_EXPORTER_OTLP_ENDPOINT'],
    schema: text,
    fallback: '',
    summary:
      'Collector of OpenTelemetry that gets a trace of each request, metrics and the process log, by OTLP over HTTP; `OTEL_METRICS_EXPORTER=none` and the like turn one off',
  }),
} as const;
