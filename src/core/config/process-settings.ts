/** Where the process listens, and its database and log. */

import { logLevels, logParts, readLogLevels } from '../kernel/log-levels.ts';
import { z } from '../kernel/zod.ts';
import { flag, setting, text, whole } from './setting.ts';

export const processSettings = {
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
} as const;
