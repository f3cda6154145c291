/**
 * `turnpike redemptions batch`: any number of codes, written as they are created
 * (docs/rules/payments.md#redemption-batches).
 */
import { api } from '../../core/contract/index.ts';
import { mostRedemptionsPerCall } from '../../core/contract/redemption.ts';
import { redemptionFields } from '../../core/entities/redemption.ts';
import { formatCount } from '../../core/pricing/format.ts';
import { type ExitCode, exitCodeOf, exitCodes } from '../base/exit-codes.ts';
import { describeFailure } from '../base/failure.ts';
import { type Context, command, type Outcome } from '../command/command.ts';
import { entityFlags } from '../command/field-flag.ts';
import { type CodeFile, createCodeFile } from '../show/code-file.ts';
import { progressBar } from '../show/progress-bar.ts';

const { createBatch } = api.redemption;

interface Code {
  readonly id: number;
  readonly key: string;
}

/** Standard output, or a file. Throws UsageError if that exists. */
async function openTarget({ values, output }: Context): Promise<CodeFile> {
  const file = values.text('output');
  if (file === undefined || file === '-')
    return { write: (text) => output.write(text), close: async () => {} };
  return createCodeFile(file);
}

/** One code per line, or one JSON document that is complete however the run ends. */
function createWriter(target: CodeFile, json: boolean) {
  let isEmpty = true;
  return {
    write: async (codes: readonly Code[]) => {
      const lines = codes.map(({ id, key }) => (json ? JSON.stringify({ id, key }) : key));
      const before = json ? (isEmpty ? '{"items":[\n' : ',\n') : '';
      isEmpty = false;
      await target.write(json ? before + lines.join(',\n') : `${lines.join('\n')}\n`);
    },
    end: async () => {
      if (json && !isEmpty) await target.write('\n]}\n');
      await target.close(isEmpty);
    },
  };
}

async function run(context: Context): Promise<Outcome> {
  const { output, values } = context;
  const input = values.input();
  const count = values.integer('count') ?? 0;
  const stop = context.stop();
  const writer = createWriter(await openTarget(context), output.json);
  const result: Result = { count, created: 0, written: 0 };
  try {
    while (result.written < count && !stop.aborted) {
      const size = Math.min(mostRedemptionsPerCall, count - result.created);
      const { items } = await context.call(createBatch, { ...input, count: size });
      result.created += items.length;
      await writer.write(items);
      result.written = result.created;
      output.progress(progressBar(result.written, count));
    }
  } catch (error) {
    result.failure = error;
  }
  output.progress(undefined);
  await writer.end().catch((error: unknown) => {
    result.failure ??= error;
  });
  return outcomeOf(context, result);
}

interface Result {
  readonly count: number;
  created: number;
  written: number;
  failure?: unknown;
}

function outcomeOf(
  { output, values }: Context,
  { count, created, written, failure }: Result,
): Outcome {
  const params = {
    count: formatCount(count),
    written: formatCount(written),
    lost: formatCount(created - written),
  };
  const failWith = (code: string, reason: string, exitCode: ExitCode): Outcome => {
    const lost = created > written ? output.localize(texts.lost, params) : '';
    output.fail(code, `${reason}${output.localize(texts.partial, params)}${lost}`);
    return { exitCode };
  };
  if (failure !== undefined && created === 0) throw failure;
  if (failure !== undefined) {
    const { code, message } = describeFailure(failure, output.language);
    return failWith(code, message, exitCodeOf(failure));
  }
  if (written < count)
    return failWith('interrupted', output.localize(texts.interrupted), exitCodes.interrupted);
  const file = values.text('output');
  const done = file === undefined || file === '-' ? texts.created : texts.saved;
  return { print: () => output.note(done, { ...params, file: file ?? '' }, 'ok') };
}

export const redemptionBatchCommand = command({
  name: 'redemptions batch',
  summary: {
    en: 'Create redemption codes and print one per line',
    zh: '批量创建兑换码，每行输出一个',
  },
  details: {
    en: 'Any number. Codes are written as they are created. If the run is interrupted, what was written stays valid, and a message tells how many codes exist. With --json: {"items":[{"id","key"}]}.',
    zh: '数量不限，创建多少写出多少。中途中断时，已写出的兑换码仍然有效，并提示已创建的数量。配合 --json 输出 {"items":[{"id","key"}]}。',
  },
  flags: [
    {
      name: 'count',
      kind: 'integer',
      min: 1,
      required: true,
      summary: { en: 'Number of codes', zh: '数量' },
    },
    ...entityFlags(createBatch, redemptionFields, { quota: { required: true } }),
    {
      name: 'output',
      kind: 'text',
      placeholder: 'FILE',
      summary: {
        en: 'Write to a new file, readable by its owner only',
        zh: '写入新文件，仅本人可读',
      },
    },
  ],
  run,
});

const texts = {
  created: { en: 'Created {count} {count:code|codes}', zh: '已创建 {count} 个兑换码' },
  saved: {
    en: 'Created {count} {count:code|codes} in {file}',
    zh: '已创建 {count} 个兑换码，写入 {file}',
  },
  interrupted: { en: 'Interrupted', zh: '已中断' },
  partial: {
    en: '; {written} of {count} {count:code was|codes were} created',
    zh: '；共 {count} 个，已创建 {written} 个',
  },
  lost: {
    en: ', and {lost} more that could not be written: see `turnpike redemptions list`',
    zh: '，另有 {lost} 个已创建但未能写出，见 `turnpike redemptions list`',
  },
} as const;
