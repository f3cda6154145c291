/** Where the lines of the access log go (docs/rules/process.md#access-log). */
import { accessSync, closeSync, constants, openSync } from 'node:fs';
import { dirname, extname, isAbsolute, join } from 'node:path';
import { makeFolder } from '../../core/config/make-folder.ts';
import type { Config } from '../../core/config/schema.ts';
import { UsageError } from '../base/usage-error.ts';
import { LogFile } from './log-file.ts';

type AccessConfig = Pick<Config, 'accessLog' | 'logDir' | 'logFileMb' | 'logFileDays' | 'logFiles'>;

export interface AccessFile {
  write(line: string): void;
  /** Resolves when everything is written. */
  close(): Promise<void>;
}

const day = 86_400_000;

/**
 * Undefined: none is wanted. A relative file stands in the log folder, and is rotated as the process
 * log is. Throws UsageError where it cannot be written. `worker`: its number, for a file of its own.
 */
export function openAccessFile(
  config: AccessConfig,
  stdout: { write(text: string): unknown },
  worker?: number,
): AccessFile | undefined {
  if (config.accessLog === '') return undefined;
  if (config.accessLog === 'stdout')
    return { write: (line) => void stdout.write(line), close: async () => {} };
  const path = pathOf(config, worker);
  try {
    makeFolder(dirname(path));
    accessSync(dirname(path), constants.W_OK);
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    throw new UsageError(texts.unwritable, { path, cause: (error as Error).message });
  }
  const file = new LogFile({
    path,
    maxBytes: config.logFileMb * 2 ** 20,
    ...(config.logFileDays > 0 && { maxAge: config.logFileDays * day }),
    kept: config.logFiles,
    describeLoss: (lines, cause) => `# ${lines} lines were lost: ${cause}\n`,
  });
  const closeNow = () => file.closeNow();
  process.once('exit', closeNow);
  return {
    write: (line) => file.write(line),
    close: async () => {
      await file.close();
      process.off('exit', closeNow);
    },
  };
}

function pathOf({ accessLog, logDir }: AccessConfig, worker: number | undefined): string {
  const path = isAbsolute(accessLog) ? accessLog : join(logDir, accessLog);
  if (worker === undefined) return path;
  const extension = extname(path);
  return `${path.slice(0, path.length - extension.length)}-${worker}${extension}`;
}

const texts = {
  unwritable: {
    en: 'The access log cannot be written to {path}: {cause}',
    zh: '无法写入访问日志 {path}：{cause}',
  },
} as const;
