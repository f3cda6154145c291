/** Levels of the process log, for all of it and by part (docs/rules/process.md#log-levels). */

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** The parts that may have a level of their own; a line says which one wrote it. */
export const logParts = [
  'accounts',
  'billing',
  'budgets',
  'channels',
  'cluster',
  'files',
  'jobs',
  'logs',
  'metrics',
  'notices',
  'payments',
  'relay',
  'server',
  'site',
  'storage',
  'tasks',
] as const;
export type LogPart = (typeof logParts)[number];

export interface LogLevels {
  /** Of the parts that are not named. */
  readonly level: LogLevel;
  readonly parts: Readonly<Partial<Record<LogPart, LogLevel>>>;
}

const isLevel = (text: string | undefined): text is LogLevel =>
  logLevels.some((level) => level === text);
const isPart = (text: string): text is LogPart => logParts.some((part) => part === text);

/** Of `info,relay=debug,jobs=warn`; undefined: a name is wrong, or a part or the level is there twice. */
export function readLogLevels(text: string): LogLevels | undefined {
  let level: LogLevel | undefined;
  const parts: Partial<Record<LogPart, LogLevel>> = {};
  for (const entry of text.split(',').map((word) => word.trim().toLowerCase())) {
    const [name = '', own, ...rest] = entry.split('=').map((word) => word.trim());
    if (own === undefined) {
      if (!isLevel(name) || level !== undefined) return undefined;
      level = name;
    } else {
      if (!isPart(name) || !isLevel(own) || rest.length > 0 || parts[name] !== undefined)
        return undefined;
      parts[name] = own;
    }
  }
  return { level: level ?? 'info', parts };
}
