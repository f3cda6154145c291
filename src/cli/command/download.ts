/** Saves a download, or prints it (docs/rules/command-line.md#downloads). */
import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { FileOutput } from '../../core/contract/endpoint.ts';
import { formatCount } from '../../core/pricing/format.ts';
import { exitCodes } from '../base/exit-codes.ts';
import { namingTarget } from '../base/system-error.ts';
import type { Text } from '../base/text.ts';
import { UsageError } from '../base/usage-error.ts';
import { progressBar } from '../show/progress-bar.ts';
import { type Argument, type Context, done, type Outcome } from './command.ts';

export const fileArgument: Argument = {
  name: 'file',
  kind: 'text',
  optional: true,
  summary: {
    en: 'File to write; absent or -: standard output',
    zh: '写入的文件；省略或为 - 时写到标准输出',
  },
};

/** ms between two drawings of the progress bar. */
const drawInterval = 100;

/** Throws UsageError if the file exists. A download that fails or is interrupted leaves no file. */
export async function download(
  context: Context,
  start: () => Promise<FileOutput>,
): Promise<Outcome> {
  const target = context.arguments['file'] ?? '-';
  const { output } = context;
  if (target !== '-' && existsSync(target)) throw new UsageError(texts.exists, { file: target });
  const stop = context.stop();
  const { chunks, total } = await start();
  let rows = 0;
  let drawnAt = 0;
  async function* counted(): AsyncGenerator<string> {
    for await (const chunk of chunks) {
      if (stop.aborted) return;
      yield chunk;
      rows += chunk.split('\n').length - 1;
      const now = Date.now();
      if (now - drawnAt < drawInterval) continue;
      drawnAt = now;
      output.progress(progressText(rows, total));
    }
  }
  try {
    if (target === '-') for await (const chunk of counted()) await output.write(chunk);
    else await save(target, counted(), stop);
  } finally {
    output.progress(undefined);
  }
  if (stop.aborted)
    return { exitCode: exitCodes.interrupted, print: () => output.note(texts.stopped) };
  return target === '-' ? {} : done(texts.saved, { file: target }, { file: target });
}

/** A download that is CSV always. Throws UsageError with `--json` where it would be printed. */
export function downloadCsv(context: Context, start: () => Promise<FileOutput>): Promise<Outcome> {
  if (context.output.json && (context.arguments['file'] ?? '-') === '-')
    throw new UsageError(texts.noJson);
  return download(context, start);
}

/**
 * Under its final name only when it is complete. Its draft has a name of its own: two runs may write
 * the same file, and the first to end has it.
 */
async function save(
  target: string,
  chunks: AsyncIterable<string>,
  stop: AbortSignal,
): Promise<void> {
  const part = `${target}.${randomUUID()}.part`;
  try {
    await pipeline(chunks, createWriteStream(part, { mode: 0o600, flags: 'wx' }));
    if (!stop.aborted && existsSync(target)) throw new UsageError(texts.exists, { file: target });
    if (stop.aborted) await rm(part, { force: true });
    else await rename(part, target);
  } catch (error) {
    await rm(part, { force: true });
    throw namingTarget(error, target);
  }
}

/** `total` may be an estimate, or not known. */
function progressText(rows: number, total: number | undefined): string {
  return total === undefined || total === 0 ? formatCount(rows) : progressBar(rows, total);
}

const texts = {
  noJson: {
    en: '--json needs a FILE here: what would be printed is CSV',
    zh: '此处使用 --json 时需要指定 FILE：直接输出的是 CSV',
  },
  exists: { en: '{file} exists already', zh: '{file} 已存在' },
  saved: { en: 'Saved {file}', zh: '已保存 {file}' },
  stopped: { en: 'Interrupted; nothing was saved', zh: '已中断，未保存' },
} satisfies Record<string, Text>;
