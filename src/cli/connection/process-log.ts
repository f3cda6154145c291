/** The process log: JSON lines in the log folder; errors also go to stderr. */
import { join } from 'node:path';
import pino from 'pino';
import { makeFolder } from '../../core/config/make-folder.ts';
import type { Config } from '../../core/config/schema.ts';
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

/**
 * Appends to `turnpike.log`, mode 0600, rotated to `turnpike.log.1` and so on. Without `stderr`
 * nothing is printed. Lines that cannot be written are dropped, without affecting the gateway.
 */
export function openProcessLog(
  config: Pick<Config, 'logDir' | 'logLevel'>,
  stderr?: { write(text: string): unknown },
): ProcessLog {
  makeFolder(config.logDir);
  const path = join(config.logDir, 'turnpike.log');
  const file = new LogFile({ path, describeLoss });
  const closeNow = () => file.closeNow();
  process.once('exit', closeNow);
  const streams: pino.StreamEntry[] = [{ level: 'debug', stream: file }];
  if (stderr !== undefined)
    streams.push({
      level: 'error',
      stream: { write: (text: string) => void stderr.write(summarize(text)) },
    });
  const paths = secretFields.flatMap((field) => [field, `*.${field}`]);
  const log = pino(
    {
      level: config.logLevel,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths, censor: '[secret]' },
      serializers: { error: pino.stdSerializers.err },
    },
    pino.multistream(streams),
  );
  const close = async () => {
    await file.close();
    process.off('exit', closeNow);
  };
  return { logger: log, path, close };
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
