/**
 * The process configuration: settings of the machine, not of the site
 * (docs/rules/process.md#configuration-order). Each row declares the flag, the environment
 * variables and the default of one setting; {@link loadConfig} reads them.
 */
import { z } from 'zod';
import { logLevels, logParts, readLogLevels } from '../kernel/log-levels.ts';
import { isBackupSchedule } from './backup-schedule.ts';

/** `true`/`1`/`t` and `false`/`0`/`f` in any case (docs/rules/process.md#configuration-order). */
const flag = z.union([
  z.boolean(),
  z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.enum(['true', '1', 't', 'false', '0', 'f']))
    .transform((text) => text === 'true' || text === '1' || text === 't'),
]);
const whole = (min: number, max: number = Number.MAX_SAFE_INTEGER) =>
  z
    .union([
      z.number(),
      z
        .string()
        .trim()
        .regex(/^-?\d+$/)
        .transform(Number),
    ])
    .pipe(z.number().int().min(min).max(max));
const text = z.string();
const list = z.string().transform((value) =>
  value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ''),
);

export interface Setting<T> {
  /** Name on the command line without the dashes; absent: environment only. */
  readonly flag?: string;
  /**
   * Environment variables of One API / New API, read after the setting's `TURNPIKE_` variable; the
   * first one set applies.
   */
  readonly names: readonly string[];
  readonly schema: z.ZodType<T, unknown>;
  readonly fallback: NoInfer<T>;
  /** A sentence for the help text and the documentation. */
  readonly summary: string;
  /** The allowed values, for error messages: `1-9`, `on, off`. */
  readonly allowed?: string;
  /** Never printed, not even in an error message about its value. */
  readonly secret?: boolean;
}

const setting = <T>(row: Setting<T>): Setting<T> => row;

/** Environment variable of a setting: `dataDir` → `TURNPIKE_DATA_DIR`. */
export function environmentVariableOf(key: string): string {
  return `TURNPIKE_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

export const settings = {
  host: setting({
    flag: 'host',
    names: [],
    schema: text,
    fallback: '127.0.0.1',
    summary: 'Address to listen on',
  }),
  port: setting({
    flag: 'port',
    names: ['PORT'],
    schema: whole(0, 65_535),
    fallback: 3000,
    allowed: '0-65535',
    summary: 'Port to listen on',
  }),
  dataDir: setting({
    flag: 'data-dir',
    names: ['DATA_DIR'],
    schema: text,
    fallback: '',
    summary: 'Data folder',
  }),
  databaseUrl: setting({
    flag: 'database-url',
    names: ['SQL_DSN'],
    schema: text,
    fallback: '',
    summary: 'postgres://… (default: SQLite in the data folder)',
    secret: true,
  }),
  sqlitePath: setting({
    names: ['SQLITE_PATH'],
    schema: text,
    fallback: 'turnpike.db',
    summary: 'SQLite file, in the data folder',
  }),
  redisUrl: setting({
    flag: 'redis-url',
    names: ['REDIS_CONN_STRING'],
    schema: text,
    fallback: '',
    summary: 'redis://…, shared by several processes',
    secret: true,
  }),
  open: setting({
    flag: 'open',
    names: [],
    schema: flag,
    fallback: true,
    summary: 'Open the browser at the first start',
  }),
  workers: setting({
    flag: 'workers',
    names: [],
    schema: whole(1, 256),
    allowed: '1-256',
    fallback: 1,
    summary: 'Processes; more than one needs PostgreSQL and Redis',
  }),
  stopDelay: setting({
    flag: 'stop-delay',
    names: [],
    schema: whole(0, 600),
    allowed: '0-600',
    fallback: 0,
    summary: 'Seconds for which it is not ready and still serves, before it stops',
  }),
  durability: setting({
    flag: 'durability',
    names: [],
    schema: z.enum(['full', 'normal']),
    allowed: 'full, normal',
    fallback: 'full',
    summary: 'full survives a power cut, normal is faster',
  }),
  logLevel: setting({
    flag: 'log-level',
    names: ['LOG_LEVEL'],
    schema: text.refine((value) => readLogLevels(value) !== undefined),
    allowed: `${logLevels.join(', ')}, and part=level of ${logParts.join(', ')}`,
    fallback: 'info',
    summary: `${logLevels.join(', ')}; levels of parts may follow, as in info,relay=debug,jobs=warn: ${logParts.join(', ')}`,
  }),
  logDir: setting({
    flag: 'log-dir',
    names: ['LOG_DIR'],
    schema: text,
    fallback: '',
    summary: 'Folder of log files; `logs` in the data folder',
  }),

  logTo: setting({
    flag: 'log-to',
    names: [],
    schema: z.enum(['file', 'stdout', 'both']),
    allowed: 'file, stdout, both',
    fallback: 'file',
    summary: 'Where the process log goes: file, stdout or both',
  }),
  logFormat: setting({
    flag: 'log-format',
    names: [],
    schema: z.enum(['json', 'text']),
    allowed: 'json, text',
    fallback: 'json',
    summary: 'json, one object per line, or text for people',
  }),
  accessLog: setting({
    flag: 'access-log',
    names: [],
    schema: text,
    fallback: '',
    summary:
      'stdout, or a file: a line for each request in the combined format, with milliseconds; a relative one stands in the log folder',
  }),
  logFileMb: setting({
    names: [],
    schema: whole(1, 65_536),
    allowed: '1-65536',
    fallback: 64,
    summary: 'Size in MB at which a log file is rotated',
  }),
  logFileDays: setting({
    names: [],
    schema: whole(0, 3650),
    allowed: '0-3650',
    fallback: 0,
    summary: 'Age in days at which it is rotated, too; 0: at any',
  }),
  logFiles: setting({
    names: [],
    schema: whole(1, 3650),
    allowed: '1-3650',
    fallback: 4,
    summary: 'Rotated log files that are kept',
  }),

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

  sessionSecret: setting({
    names: ['SESSION_SECRET'],
    schema: text,
    fallback: '',
    summary: 'Pepper of stored codes',
    secret: true,
  }),
  cryptoSecret: setting({
    names: ['CRYPTO_SECRET'],
    schema: text,
    fallback: '',
    summary: 'Encrypts keys at rest',
    secret: true,
  }),
  setupToken: setting({
    names: ['SETUP_TOKEN'],
    schema: text,
    fallback: '',
    summary: 'Fixed one-time setup code',
    secret: true,
  }),
  initialRootToken: setting({
    names: ['INITIAL_ROOT_TOKEN'],
    schema: text,
    fallback: '',
    summary: "First setup: the super admin's sk- key",
    secret: true,
  }),
  initialRootAccessToken: setting({
    names: ['INITIAL_ROOT_ACCESS_TOKEN'],
    schema: text,
    fallback: '',
    summary: "First setup: the super admin's system access token",
    secret: true,
  }),
  generateDefaultToken: setting({
    names: ['GENERATE_DEFAULT_TOKEN'],
    schema: flag,
    fallback: false,
    summary: 'New accounts get a first token',
  }),

  trustedProxies: setting({
    names: ['TRUSTED_PROXIES'],
    schema: list,
    fallback: [],
    summary:
      'Addresses or ranges whose X-Forwarded-For is trusted; private means loopback and private ranges',
  }),
  cookieSecure: setting({
    names: ['COOKIE_SECURE'],
    schema: flag,
    fallback: false,
    summary: 'Always mark cookies as Secure',
  }),
  globalApiRateLimitEnable: setting({
    names: ['GLOBAL_API_RATE_LIMIT_ENABLE'],
    schema: flag,
    fallback: true,
    summary: 'Limit API calls',
  }),
  globalApiRateLimit: setting({
    names: ['GLOBAL_API_RATE_LIMIT'],
    schema: whole(1),
    fallback: 1800,
    summary: 'API calls per window and IP address',
  }),
  globalApiRateLimitDuration: setting({
    names: ['GLOBAL_API_RATE_LIMIT_DURATION'],
    schema: whole(1),
    fallback: 180,
    summary: 'Window in seconds',
  }),
  globalWebRateLimitEnable: setting({
    names: ['GLOBAL_WEB_RATE_LIMIT_ENABLE'],
    schema: flag,
    fallback: true,
    summary: 'Limit pages',
  }),
  globalWebRateLimit: setting({
    names: ['GLOBAL_WEB_RATE_LIMIT'],
    schema: whole(1),
    fallback: 600,
    summary: 'Pages per window and IP address',
  }),
  globalWebRateLimitDuration: setting({
    names: ['GLOBAL_WEB_RATE_LIMIT_DURATION'],
    schema: whole(1),
    fallback: 180,
    summary: 'Window in seconds',
  }),
  criticalRateLimitEnable: setting({
    names: ['CRITICAL_RATE_LIMIT_ENABLE'],
    schema: flag,
    fallback: true,
    summary: 'Limit sign-ins, redemptions and similar calls',
  }),
  criticalRateLimit: setting({
    names: ['CRITICAL_RATE_LIMIT'],
    schema: whole(1),
    fallback: 20,
    summary: 'Such calls per window and user, or IP address',
  }),
  criticalRateLimitDuration: setting({
    names: ['CRITICAL_RATE_LIMIT_DURATION'],
    schema: whole(1),
    fallback: 1200,
    summary: 'Window in seconds',
  }),

  relayTimeout: setting({
    names: ['RELAY_TIMEOUT'],
    schema: whole(0),
    fallback: 0,
    summary: 'Seconds a relayed call may take; 0 = no limit',
  }),
  firstByteTimeout: setting({
    names: ['FIRST_BYTE_TIMEOUT'],
    schema: whole(0),
    fallback: 60,
    summary:
      'Seconds until the first byte of a stream before another channel is tried; 5 times as long for thinking models; 0 = no limit',
  }),
  retryWindow: setting({
    names: ['RETRY_WINDOW'],
    schema: whole(0),
    fallback: 120,
    summary:
      'Seconds after the start of a request in which another channel may still be tried; 0 = no limit',
  }),
  streamingTimeout: setting({
    names: ['STREAMING_TIMEOUT'],
    schema: whole(1),
    fallback: 60,
    summary:
      'Seconds without an event after which a stream is ended; 5 times as long for thinking models',
  }),
  maxRequestBodyMb: setting({
    names: ['MAX_REQUEST_BODY_MB'],
    schema: whole(1, 2048),
    fallback: 128,
    summary: 'Largest request body in MB, decompressed',
  }),
  maxBodyMemoryMb: setting({
    names: ['MAX_BODY_MEMORY_MB'],
    schema: whole(1),
    fallback: 512,
    summary: 'MB of request bodies and fetched files held at the same time, decompressed',
  }),
  maxUserBodyMemoryMb: setting({
    names: ['MAX_USER_BODY_MEMORY_MB'],
    schema: whole(1),
    fallback: 256,
    summary: 'The same for the requests of one user',
  }),
  maxReplyMb: setting({
    names: ['MAX_REPLY_MB'],
    schema: whole(4, 2048),
    fallback: 128,
    summary:
      'Largest reply of an upstream in MB, decompressed: images, speech and embeddings; half of it for conversations, a quarter for others',
  }),
  maxStreamEventMb: setting({
    names: ['MAX_STREAM_EVENT_MB'],
    schema: whole(1, 256),
    fallback: 32,
    summary: 'Largest event of an upstream stream in MB; an image comes as one event',
  }),
  maxReplyMemoryMb: setting({
    names: ['MAX_REPLY_MEMORY_MB'],
    schema: whole(1),
    fallback: 512,
    summary: 'MB of upstream replies held at the same time, decompressed',
  }),
  maxFileDownloadMb: setting({
    names: ['MAX_FILE_DOWNLOAD_MB'],
    schema: whole(1, 2048),
    fallback: 20,
    summary: 'Largest file in MB that is fetched for a caller',
  }),
  allowPrivateUpstream: setting({
    names: ['ALLOW_PRIVATE_UPSTREAM'],
    schema: flag,
    fallback: true,
    summary: 'Channels may point at private addresses',
  }),
  fetchAllowPrivate: setting({
    names: ['FETCH_ALLOW_PRIVATE'],
    schema: flag,
    fallback: false,
    summary: 'URLs from users may point at private addresses',
  }),
  fetchAllowedPorts: setting({
    names: ['FETCH_ALLOWED_PORTS'],
    schema: list,
    fallback: [],
    summary: 'Ports that URLs from users may use; empty = 80, 443, 8080 and 8443',
  }),
  fetchAllowHosts: setting({
    names: ['FETCH_ALLOW_HOSTS'],
    schema: list,
    fallback: [],
    summary: 'Hosts that URLs from users may always use',
  }),
  smtpInsecure: setting({
    names: ['SMTP_INSECURE'],
    schema: flag,
    fallback: false,
    summary: 'Do not verify the certificate of the mail server',
  }),
  notifyLimitCount: setting({
    names: ['NOTIFY_LIMIT_COUNT'],
    schema: whole(1, 100),
    fallback: 2,
    summary: 'Notices of one kind per period',
  }),
  notificationLimitDurationMinute: setting({
    names: ['NOTIFICATION_LIMIT_DURATION_MINUTE'],
    schema: whole(1),
    fallback: 10,
    summary: 'Period of the notice limit in minutes',
  }),
  channelTestFrequency: setting({
    names: ['CHANNEL_TEST_FREQUENCY'],
    schema: whole(0),
    fallback: 0,
    summary: 'Minutes between tests of all channels; 0 = never',
  }),
  channelUpdateFrequency: setting({
    names: ['CHANNEL_UPDATE_FREQUENCY'],
    schema: whole(0),
    fallback: 0,
    summary: 'Minutes between balance queries of all channels; 0 = never',
  }),
  pollingInterval: setting({
    names: ['POLLING_INTERVAL'],
    schema: whole(0),
    fallback: 0,
    summary: 'Seconds between channels in tests and balance queries of all',
  }),
  azureDefaultApiVersion: setting({
    names: ['AZURE_DEFAULT_API_VERSION'],
    schema: text,
    fallback: '2025-04-01-preview',
    summary: 'api-version of Azure channels that set none',
  }),
  geminiVisionMaxImageNum: setting({
    names: ['GEMINI_VISION_MAX_IMAGE_NUM'],
    schema: whole(-1),
    fallback: 16,
    summary: 'Images per message to Gemini; -1 = no limit',
  }),
  cohereSafetySetting: setting({
    names: ['COHERE_SAFETY_SETTING'],
    schema: text,
    fallback: 'NONE',
    summary:
      "safety_mode of Cohere chats that set none (CONTEXTUAL, STRICT, OFF); NONE = Cohere's default",
  }),
  updateTask: setting({
    names: ['UPDATE_TASK'],
    schema: flag,
    fallback: true,
    summary: 'Look up the states of music, drawing and video tasks at their upstreams',
    allowed: 'true, false',
  }),
  taskTimeoutMinutes: setting({
    names: ['TASK_TIMEOUT_MINUTES'],
    schema: whole(0, 527_040),
    fallback: 1440,
    summary:
      'Minutes after which an unfinished music or video task fails and is refunded; 0 = never',
    allowed: '0-527040',
  }),
  wechatPayEndpoint: setting({
    names: ['WECHAT_PAY_ENDPOINT'],
    schema: text,
    fallback: 'https://api.mch.weixin.qq.com',
    summary: 'Address of the API of WeChat Pay',
  }),
  releaseUrl: setting({
    names: ['RELEASE_URL'],
    schema: text,
    fallback: '',
    summary:
      "Where the latest release is looked up: the address of a code host's `releases/latest`; empty = never",
  }),
  aliyunSmsEndpoint: setting({
    names: ['ALIYUN_SMS_ENDPOINT'],
    schema: text,
    fallback: 'https://dysmsapi.aliyuncs.com',
    summary: 'Address of the text message API of Alibaba Cloud',
  }),
  tencentSmsEndpoint: setting({
    names: ['TENCENT_SMS_ENDPOINT'],
    schema: text,
    fallback: 'https://sms.tencentcloudapi.com',
    summary: 'Address of the text message API of Tencent Cloud',
  }),
  turnstileEndpoint: setting({
    names: ['TURNSTILE_ENDPOINT'],
    schema: text,
    fallback: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
    summary: 'Address where tokens of Turnstile are verified',
  }),
  githubEndpoint: setting({
    names: ['GITHUB_ENDPOINT'],
    schema: text,
    fallback: 'https://github.com',
    summary: 'Address of GitHub, or of a GitHub Enterprise Server',
  }),
  githubApiEndpoint: setting({
    names: ['GITHUB_API_ENDPOINT'],
    schema: text,
    fallback: 'https://api.github.com',
    summary: 'Address of the API of GitHub; https://HOST/api/v3 for a GitHub Enterprise Server',
  }),
  linuxDoAuthorizeEndpoint: setting({
    names: ['LINUX_DO_AUTHORIZE_ENDPOINT'],
    schema: text,
    fallback: 'https://connect.linux.do/oauth2/authorize',
    summary: 'Page of LinuxDO that asks for consent',
  }),
  linuxDoTokenEndpoint: setting({
    names: ['LINUX_DO_TOKEN_ENDPOINT'],
    schema: text,
    fallback: 'https://connect.linux.do/oauth2/token',
    summary: 'Address at which LinuxDO exchanges codes for tokens',
  }),
  linuxDoUserEndpoint: setting({
    names: ['LINUX_DO_USER_ENDPOINT'],
    schema: text,
    fallback: 'https://connect.linux.do/api/user',
    summary: 'Address of profiles at LinuxDO',
  }),
  difyDebug: setting({
    names: ['DIFY_DEBUG'],
    schema: flag,
    fallback: false,
    summary: 'Dify channels return the steps of a workflow as thinking',
  }),
} as const;

export type SettingKey = keyof typeof settings;
export type Config = {
  readonly [K in SettingKey]: (typeof settings)[K] extends Setting<infer T> ? T : never;
};

/** Every variable that is a setting. */
export const variableNames: ReadonlySet<string> = new Set(
  Object.entries<Setting<unknown>>(settings).flatMap(([key, { names }]) => [
    environmentVariableOf(key),
    ...names,
  ]),
);
