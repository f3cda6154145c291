import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import envPaths from 'env-paths';
import { AppError } from '../kernel/errors.ts';
import { namingFile } from '../kernel/file-problems.ts';
import type { z } from '../kernel/zod.ts';
import { createClientAddress } from './client-address.ts';
import { type Config, environmentVariableOf, settings, variableNames } from './schema.ts';
import type { Setting } from './setting.ts';

export interface ConfigSources {
  /**
   * Flag name without dashes → value as parsed by the command line. Undefined counts as not given.
   */
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folder of `.env` and base of relative paths. */
  readonly cwd: string;
  /** Replaces the user's home folder; absent: the real one. */
  readonly home?: string;
}

export interface LoadedConfig {
  readonly config: Config;
  /** Messages about ignored values, for the log. */
  readonly warnings: readonly string[];
}

/**
 * Reads every setting from its flag, its `TURNPIKE_` variable, its One API / New API variable, a
 * credential of systemd, `.env` or its default, in this order. An empty variable counts as unset
 * (docs/rules/process.md#configuration-order). For an invalid variable the default is used and
 * `warnings` reports it; an invalid flag throws AppError invalid_parameter.
 */
export function loadConfig(sources: ConfigSources): LoadedConfig {
  const files = [
    readCredentials(sources.environment['CREDENTIALS_DIRECTORY'] ?? ''),
    readEnvironmentFile(join(sources.cwd, '.env')),
  ];
  const warnings: string[] = [];
  const values = Object.fromEntries(
    Object.entries<Setting<unknown>>(settings).map(([key, row]) => [
      key,
      readSetting(key, row, sources, files, warnings),
    ]),
  );
  const config = values as unknown as Config;
  createClientAddress(config.trustedProxies, (entry) =>
    warnings.push(
      `TRUSTED_PROXIES: ${entry} is neither an address nor a range, so its X-Forwarded-For is not trusted`,
    ),
  );
  for (const key of ['sessionSecret', 'cryptoSecret'] as const) {
    if (config[key] === 'random_string')
      throw new AppError('invalid_parameter', { field: settings[key].names[0] ?? key });
  }
  const [, sqliteFile] = /^sqlite:(.+)/.exec(config.databaseUrl) ?? [];
  const isSqlite = config.databaseUrl.startsWith('local') || sqliteFile !== undefined;
  const databaseUrl = isSqlite ? '' : config.databaseUrl;
  if (databaseUrl !== '') checkDatabaseUrl(databaseUrl, sources);
  const dataDir =
    config.dataDir === '' ? defaultDataFolder(sources.home) : resolve(sources.cwd, config.dataDir);
  return {
    config: {
      ...config,
      dataDir,
      uploadDir:
        config.uploadDir === '' ? join(dataDir, 'uploads') : resolve(sources.cwd, config.uploadDir),
      archiveDir:
        config.archiveDir === ''
          ? join(dataDir, 'archive')
          : placeOf(sources.cwd, config.archiveDir),
      backupTo: config.backupTo === '' ? '' : placeOf(sources.cwd, config.backupTo),
      ledgerSealFile:
        config.ledgerSealFile === '' ? '' : resolve(sources.cwd, config.ledgerSealFile),
      logDir: config.logDir === '' ? join(dataDir, 'logs') : resolve(sources.cwd, config.logDir),
      databaseUrl,
      sqlitePath: resolve(dataDir, (sqliteFile ?? config.sqlitePath).replace(/\?.*$/, '')),
    },
    warnings,
  };
}

/**
 * What is no address of PostgreSQL would be taken for the SQLite file of the data folder by some
 * commands: a backup would be that of another database. Throws AppError invalid_parameter.
 */
function checkDatabaseUrl(url: string, { flags }: ConfigSources): void {
  // Without a host it names a socket: postgres://user@/database?host=/run/postgresql
  const isUrl = URL.canParse(url) || URL.canParse(url.replace('@/', '@socket/'));
  if (/^postgres(ql)?:\/\//.test(url) && isUrl) return;
  const { flag, names } = settings.databaseUrl;
  const variables = [environmentVariableOf('databaseUrl'), ...names].join(', ');
  const field = flags?.[flag ?? ''] === undefined ? variables : `--${flag}`;
  throw new AppError('invalid_parameter', { field, reason: 'rule.databaseUrl' });
}

/** A bucket as it is, or the whole path of a folder. */
const placeOf = (cwd: string, place: string): string =>
  place.startsWith('s3://') ? place : resolve(cwd, place);

function readSetting(
  key: string,
  row: Setting<unknown>,
  sources: ConfigSources,
  files: readonly Variables[],
  warnings: string[],
): unknown {
  const given = row.flag === undefined ? undefined : sources.flags?.[row.flag];
  if (given !== undefined) {
    const parsed = row.schema.safeParse(given);
    if (!parsed.success) throw invalidFlag(row, given, parsed.error);
    return parsed.data;
  }
  for (const variables of [sources.environment, ...files]) {
    for (const name of [environmentVariableOf(key), ...row.names]) {
      const value = variables[name];
      if (value === undefined || value.trim() === '') continue;
      const parsed = row.schema.safeParse(value);
      if (parsed.success) return parsed.data;
      warnings.push(
        `${name} is not usable${row.secret ? '' : ` (${value})`}; using ${String(row.fallback)}${allowedOf(row)}`,
      );
      return row.fallback;
    }
  }
  return row.fallback;
}

/** Of a setting with a few words; numbers and schedules are in docs/settings.md. */
const allowedOf = ({ allowed = '' }: Setting<unknown>): string =>
  allowed.includes(', ') ? ` (it takes ${allowed})` : '';

function invalidFlag(row: Setting<unknown>, given: unknown, error: z.ZodError): AppError {
  const value = row.secret ? '' : String(given);
  const params = {
    field: `--${row.flag}`,
    value,
    ...(row.allowed !== undefined && { reason: 'rule.allowed', allowed: row.allowed }),
  };
  return new AppError('invalid_parameter', params, { cause: error });
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The files that systemd hands to a service (`LoadCredential`), by their names. Files of other
 * names are nobody's setting.
 */
function readCredentials(folder: string): Variables {
  if (folder === '') return {};
  const names = namingFile(folder, () => readdirSync(folder));
  const known = names.filter((name) => variableNames.has(name));
  return Object.fromEntries(
    known.map((name) => {
      const path = join(folder, name);
      return [name, namingFile(path, () => readFileSync(path, 'utf8')).replace(/\r?\n$/, '')];
    }),
  );
}

function readEnvironmentFile(path: string): Variables {
  try {
    return parseEnv(namingFile(path, () => readFileSync(path, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

/** The operating system's standard folder for application data. */
function defaultDataFolder(home: string | undefined): string {
  const standard = envPaths('turnpike', { suffix: '' }).data;
  if (home === undefined) return standard;
  const below = relative(homedir(), standard);
  return below.startsWith('..') || isAbsolute(below) ? standard : join(home, below);
}
