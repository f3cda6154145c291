/** The process log: JSON lines in the log folder; errors also go to stderr. */
import { join } from 'node:path';
import pino from 'pino';
import { makeFolder } from '../../core/config/make-folder.ts';
import type { Config } from '../../core/config/schema.ts';
import { type LogPart, readLogLevels } from '../../core/kernel/log-levels.ts';
import type { Logger } from '../../core/kernel/logger.ts';
import { LogFile } from './log-file.ts';

/** Fields that are always removed from log entries (docs/rules/process.md#process-log). */
const secretFields = ['key', 'password', 'token', 'secret', 'authorization', 'cookie'];

export interface ProcessLog {
  readonly logger: Logger;
  readonly path: string;
  /** Resolves when everything is written. */
  close(): Promise<void>;
}

type LogConfig = Pick<
  Config,
  'logDir' | 'logLevel' | 'logTo' | 'logFormat' | 'logFileMb' | 'logFileDays' | 'logFiles'
>;

interface Sinks {
  /** Absent: the log goes to its file, as stdout is for the result of a command. */
  readonly stdout?: { write(text: string): unknown };
  /** Gets errors, in one line each, unless stdout has the whole log; absent: nothing. */
  readonly stderr?: { write(text: string): unknown };
}

const day = 86_400_000;

/**
 * Appends to `turnpike.log`, mode 0600, rotated to `turnpike.log.1` and so on, or to stdout, as the
 * settings say (docs/rules/process.md#process-log). Lines that cannot be written are dropped,
 * without affecting the gateway. `worker`: its number, for a file of its own.
 */
export function openProcessLog(
  config: LogConfig,
  { stdout, stderr }: Sinks = {},
  worker?: number,
): ProcessLog {
  const path = join(
    config.logDir,
    worker === undefined ? 'turnpike.log' : `turnpike-${worker}.log`,
  );
  const layOut = config.logFormat === 'text' ? asText : (line: string) => line;
  const isShown = stdout !== undefined && config.logTo !== 'file';
  const file = isShown && config.logTo === 'stdout' ? undefined : openFile(config, path);
  const streams: pino.StreamEntry[] = [];
  if (file !== undefined)
    streams.push({ level: 'debug', stream: { write: (line) => file.write(layOut(line)) } });
  if (isShown)
    streams.push({ level: 'debug', stream: { write: (line) => void stdout.write(layOut(line)) } });
  else if (stderr !== undefined)
    streams.push({
      level: 'error',
      stream: { write: (line) => void stderr.write(summarize(line)) },
    });
  let tapped: ((line: string) => void) | undefined;
  streams.push({ level: 'debug', stream: { write: (line) => tapped?.(line) } });
  const closeNow = () => file?.closeNow();
  process.once('exit', closeNow);
  const { level = 'info', parts = {} } = readLogLevels(config.logLevel) ?? {};
  const paths = secretFields.flatMap((field) => [field, `*.${field}`]);
  const log = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths, censor: '[secret]' },
      serializers: { error: pino.stdSerializers.err },
    },
    pino.multistream(streams),
  );
  const close = async () => {
    await file?.close();
    process.off('exit', closeNow);
  };
  const part = (name: LogPart): Logger => {
    const child: pino.Logger = log.child({ part: name }, { level: parts[name] ?? level });
    return child;
  };
  const tap = (take: (line: string) => void) => {
    tapped = take;
    return () => {
      tapped = undefined;
    };
  };
  return { logger: Object.assign(log, { part, tap }), path, close };
}

function openFile(config: LogConfig, path: string): LogFile {
  makeFolder(config.logDir);
  return new LogFile({
    path,
    maxBytes: config.logFileMb * 2 ** 20,
    ...(config.logFileDays > 0 && { maxAge: config.logFileDays * day }),
    kept: config.logFiles,
    describeLoss,
  });
}

/**
 * A log line for people: time, level, sentence, and the other fields as JSON, so that no text of a
 * caller can look like another line.
 */
function asText(line: string): string {
  const { time, level, msg, pid, part, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const name = pino.levels.labels[Number(level)]?.toUpperCase().padEnd(5);
  const rest = Object.keys(fields).length === 0 ? '' : ` ${JSON.stringify(fields)}`;
  const sentence = String(msg).replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
  const writer = typeof part === 'string' ? `${pid} ${part}` : pid;
  return `${time} ${name} [${writer}] ${sentence}${rest}\n`;
}

/** A log line that reports lost log lines. */
function describeLoss(lines: number, cause: string): string {
  const line = {
    level: 50,
    time: new Date().toISOString(),
    pid: process.pid,
    lines,
    cause,
    msg: 'log lines were lost',
  };
  return `${JSON.stringify(line)}\n`;
}

/** A log line in readable form: the sentence and the message of the error. */
function summarize(text: string): string {
  const { msg, error } = JSON.parse(text) as { msg?: string; error?: { message?: string } };
  return `${[msg, error?.message].filter(Boolean).join(': ')}\n`;
}
