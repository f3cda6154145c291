import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import envPaths from 'env-paths';
import { AppError } from '../kernel/errors.ts';
import { type Config, type Setting, settings, twinOf } from './schema.ts';

export interface ConfigSources {
  /** Flag name without dashes → value, as the command line parsed it; undefined entries count as not given. */
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where `.env` is looked for and relative paths start. */
  readonly cwd: string;
  /** Stands in for the user's home folder; absent: the real one. */
  readonly home?: string;
}

export interface LoadedConfig {
  readonly config: Config;
  /** What was wrong with values that were ignored, for the log. */
  readonly warnings: readonly string[];
}

/**
 * Reads every setting: flag, TURNPIKE_ twin, the family's variable, `.env`, default; an empty variable counts as unset
 * (design, product 2). A bad variable is reported in `warnings` and the default taken (spec, accounts-and-payments 15.2);
 * a bad flag throws AppError invalid_parameter, because somebody just typed it.
 */
export function loadConfig(sources: ConfigSources): LoadedConfig {
  const file = readEnvironmentFile(join(sources.cwd, '.env'));
  const warnings: string[] = [];
  const values = Object.fromEntries(
    Object.entries<Setting<unknown>>(settings).map(([key, row]) => [key, readSetting(key, row, sources, file, warnings)]),
  );
  const config = values as unknown as Config;
  for (const key of ['sessionSecret', 'cryptoSecret'] as const) {
    if (config[key] === 'random_string') throw new AppError('invalid_parameter', { field: settings[key].names[0] ?? key });
  }
  const dataDir = config.dataDir === '' ? usualDataFolder(sources.home) : resolve(sources.cwd, config.dataDir);
  return {
    config: {
      ...config,
      dataDir,
      logDir: config.logDir === '' ? join(dataDir, 'logs') : resolve(sources.cwd, config.logDir),
      databaseUrl: config.databaseUrl.startsWith('local') ? '' : config.databaseUrl,
      sqlitePath: resolve(dataDir, config.sqlitePath.replace(/\?.*$/, '')),
    },
    warnings,
  };
}

function readSetting(
  key: string,
  row: Setting<unknown>,
  sources: ConfigSources,
  file: Readonly<Record<string, string | undefined>>,
  warnings: string[],
): unknown {
  const given = row.flag === undefined ? undefined : sources.flags?.[row.flag];
  if (given !== undefined) {
    const parsed = row.schema.safeParse(given);
    if (!parsed.success) throw new AppError('invalid_parameter', { field: `--${row.flag}` });
    return parsed.data;
  }
  for (const variables of [sources.environment, file]) {
    for (const name of [twinOf(key), ...row.names]) {
      const value = variables[name];
      if (value === undefined || value.trim() === '') continue;
      const parsed = row.schema.safeParse(value);
      if (parsed.success) return parsed.data;
      warnings.push(`${name} is not usable${row.secret ? '' : ` (${value})`}; using ${String(row.fallback)}`);
      return row.fallback;
    }
  }
  return row.fallback;
}

function readEnvironmentFile(path: string): Readonly<Record<string, string | undefined>> {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

/** The operating system's usual place for a program's data. */
function usualDataFolder(home: string | undefined): string {
  const usual = envPaths('turnpike', { suffix: '' }).data;
  if (home === undefined) return usual;
  const below = relative(homedir(), usual);
  return below.startsWith('..') || isAbsolute(below) ? usual : join(home, below);
}
