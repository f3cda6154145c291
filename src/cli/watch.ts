/** A list that is shown again and again: `--watch` (docs/rules/command-line.md#lists). */
import { type ExitCode, exitCodes } from './base/exit-codes.ts';
import type { Text } from './base/text.ts';
import { UsageError } from './base/usage-error.ts';
import type { Command, Context } from './command/command.ts';
import { jsonText } from './show/output.ts';

/** Seconds between two looks, unless others are given; the least and the most. */
const usual = 2;
const least = 0.5;
const most = 86_400;

function readSeconds(text: string): number {
  if (text === 'true') return usual;
  const seconds = Number(text);
  if (/^[\d.]+$/.test(text) && seconds >= least && seconds <= most) return seconds;
  throw new UsageError(texts.seconds, { text });
}

/**
 * Draws the list on a terminal, or prints a line of JSON when it has changed, until it is stopped.
 * Throws what the command throws: a list that cannot be read is not shown as if it stood still.
 */
export async function watch(command: Command, context: Context): Promise<ExitCode> {
  const { output, values, clock } = context;
  const seconds = readSeconds(values.text('watch') ?? '');
  if (!output.json && !Number.isFinite(output.width)) throw new UsageError(texts.pipe);
  const stop = context.stop();
  let last = '';
  while (!stop.aborted) {
    const outcome = await command.run(context);
    if (output.json) {
      const line = jsonText(outcome.json);
      if (line !== last) output.line(line);
      last = line;
    } else {
      output.clear();
      await outcome.print?.(output, context.view);
    }
    await context.release();
    await clock.sleep(seconds * 1000, stop).catch(() => {}); // only the signal rejects
  }
  return exitCodes.interrupted;
}

const texts = {
  seconds: {
    en: '--watch {text}: use seconds from 0.5 to 86400, or none for every 2 seconds',
    zh: '--watch {text}：请填 0.5 到 86400 的秒数，省略则每 2 秒刷新一次',
  },
  pipe: {
    en: '--watch draws on a terminal: use it with --json elsewhere',
    zh: '--watch 只能在终端中刷新显示；在其他环境请配合 --json 使用',
  },
} satisfies Record<string, Text>;
