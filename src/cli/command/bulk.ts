/**
 * `turnpike … bulk`: one change of many rows, shown, confirmed, and made in pieces
 * (docs/rules/console-api.md#bulk-changes).
 */
import type { BulkOutput, bulkApi, UndoStep } from '../../core/contract/bulk.ts';
import type { InputOf } from '../../core/contract/endpoint.ts';
import { isObject, parseJson } from '../../core/kernel/json.ts';
import { exitCodes } from '../base/exit-codes.ts';
import type { Flag } from '../base/flags.ts';
import type { Text } from '../base/text.ts';
import { nothingToChange, UsageError } from '../base/usage-error.ts';
import { jsonText, type Output } from '../show/output.ts';
import { progressBar } from '../show/progress-bar.ts';
import { type Command, type Context, command, failedWith, type Outcome } from './command.ts';
import { readNamedFile } from './input-file.ts';

type BulkCall = (typeof bulkApi)[keyof typeof bulkApi];

interface BulkSpec {
  readonly name: string;
  readonly summary: Text;
  readonly call: BulkCall;
  /** Their `field` is that of the filter. */
  readonly match: readonly Flag[];
  /** Their `field` is that of the change. */
  readonly change: readonly Flag[];
}

/** Rows of one call. */
const pieceSize = 200;

/** A flag of a list of names. */
export const namesFlag = (name: string, field: string, summary: Text): Flag => ({
  name,
  field,
  summary,
  kind: 'text',
  placeholder: 'A,B',
  read: (text) =>
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean),
});

const ownFlags: readonly Flag[] = [
  {
    name: 'ids',
    kind: 'text',
    placeholder: '1,2,3',
    field: 'ids',
    read: (text) => {
      const read = text.split(',').map(Number);
      if (read.some((one) => !Number.isSafeInteger(one) || one < 1))
        throw new UsageError(texts.ids, { text });
      return read;
    },
    summary: { en: 'These rows instead of those that match', zh: '指定编号，而非按条件匹配' },
  },
  { name: 'match-all', kind: 'switch', summary: { en: 'All rows', zh: '全部条目' } },
  {
    name: 'dry-run',
    kind: 'switch',
    summary: { en: 'Only show what would change', zh: '仅显示将要修改的内容' },
  },
  {
    name: 'undo',
    kind: 'text',
    placeholder: 'FILE',
    summary: {
      en: 'Take back a change: the file has what it printed with --json',
      zh: '撤销一次修改；文件内容为该次修改 --json 的输出',
    },
  },
];

export function bulkCommand({ name, summary, call, match, change }: BulkSpec): Command {
  const within = (part: string, flags: readonly Flag[]) =>
    flags.map((flag) => ({ ...flag, field: `${part}.${flag.field ?? flag.name}` }));
  return command({
    name,
    summary,
    details: {
      en: 'Shows what would change and for whom, asks, and makes the change in pieces; --yes skips the question. What a row refuses is named and does not hold up the others.',
      zh: '先显示将要修改的内容和对象，确认后分批执行；--yes 跳过确认。被拒绝的条目会列出原因，不影响其他条目。',
    },
    flags: [...within('match', match), ...within('change', change), ...ownFlags],
    run: (context) => run(context, call),
  });
}

async function run(context: Context, call: BulkCall): Promise<Outcome> {
  const make = (input: InputOf<BulkCall>) =>
    context.call(call as typeof bulkApi.channels, input as InputOf<typeof bulkApi.channels>);
  const { values, output } = context;
  const file = values.text('undo');
  const input = values.input();
  const partOf = (part: string) =>
    Object.fromEntries(
      Object.entries(input).flatMap(([field, value]) =>
        field.startsWith(`${part}.`) ? [[field.slice(part.length + 1), value]] : [],
      ),
    );
  if (file !== undefined) {
    const undo = readUndo(readNamedFile(file));
    const back = await inPieces(undo, context, (piece) => make({ undo: [...piece] }));
    const named = new Set(undo.flatMap((step) => step.ids)).size;
    return finish(back, named - back.reply.matched);
  }
  const match = partOf('match');
  const change = partOf('change');
  if (Object.keys(change).length === 0) throw nothingToChange();
  const { ids } = input as { readonly ids?: number[] };
  const ways = [ids !== undefined, Object.keys(match).length > 0, values.on('match-all')];
  if (ways.filter(Boolean).length !== 1) throw new UsageError(texts.oneWay);
  const named = ids === undefined ? { match } : { ids };
  const shown = await make({ ...named, change, preview: true });
  // An id that names no row is a mistake; a condition that none meets is not.
  const missing = ids === undefined ? 0 : new Set(ids).size - shown.matched;
  if (values.on('dry-run') || shown.changed === 0)
    return outcomeOf(shown, shown, texts.planned, missing);
  if (!values.on('yes')) {
    if (!context.terminal.interactive) throw new UsageError(texts.yes, { count: shown.changed });
    print(output, shown, texts.planned, missing);
    if (!(await context.terminal.confirm(texts.question, { count: shown.changed }))) {
      output.note(texts.unchanged);
      return { json: { ...shown, changed: 0 }, exitCode: exitCodes.failed };
    }
  }
  const done = await inPieces(shown.ids, context, (piece) => make({ ids: [...piece], change }));
  return finish(
    { ...done, reply: { ...done.reply, refused: [...shown.refused, ...done.reply.refused] } },
    missing,
  );
}

interface Pieces {
  readonly reply: BulkOutput;
  /** What ended it before its end. */
  readonly failure?: unknown;
}

/** The sum of the replies to the pieces, until one fails or Ctrl-C. */
async function inPieces<T>(
  all: readonly T[],
  { output, stop }: Context,
  make: (piece: readonly T[]) => Promise<BulkOutput>,
): Promise<Pieces> {
  const signal = stop();
  let sum: BulkOutput | undefined;
  try {
    for (let at = 0; at < all.length; at += pieceSize) {
      signal.throwIfAborted();
      const reply = await make(all.slice(at, at + pieceSize));
      sum =
        sum === undefined
          ? reply
          : {
              ...reply,
              matched: sum.matched + reply.matched,
              changed: sum.changed + reply.changed,
              groups: [...sum.groups, ...reply.groups],
              refused: [...sum.refused, ...reply.refused],
              undo: [...sum.undo, ...reply.undo],
            };
      output.progress(progressBar(Math.min(all.length, at + pieceSize), all.length));
    }
  } catch (failure) {
    if (sum === undefined) throw failure;
    output.progress(undefined);
    output.note(texts.stopped, { count: sum.changed, total: all.length }, 'warn');
    return { reply: sum, failure };
  } finally {
    output.progress(undefined);
  }
  if (sum === undefined) throw nothingToChange();
  return { reply: sum };
}

function finish({ reply, failure }: Pieces, missing: number): Outcome {
  const outcome = outcomeOf(reply, { ...reply, groups: [] }, texts.done, missing);
  if (failure === undefined) return outcome;
  // What was done before stays done, and people must be able to take it back.
  return {
    json: reply,
    print: (output) => output.line(jsonText({ undo: reply.undo })),
    failure,
  };
}

/** Exit code 1 if a row refused, or is not there. */
function outcomeOf(json: BulkOutput, shown: BulkOutput, summary: Text, missing: number): Outcome {
  const outcome: Outcome = {
    json,
    print: (output) => print(output, shown, summary, missing),
  };
  return shown.refused.length > 0 || missing > 0 ? failedWith(outcome) : outcome;
}

function print(output: Output, shown: BulkOutput, summary: Text, missing: number): void {
  const { changed, matched, groups, more_groups: more, refused, lost } = shown;
  for (const { changes, count, names } of groups) {
    const what = changes.map(({ field, from, to, added, removed }) => {
      if (field === 'deleted') return `${field} (${from})`;
      return added.length + removed.length > 0
        ? `${field} ${[...added.map((one) => `+${one}`), ...removed.map((one) => `-${one}`)].join(' ')}`
        : `${field} ${from === '' ? '' : `${from} → `}${to === '' ? '–' : to}`;
    });
    const rest = count > names.length ? ` … (${count})` : '';
    output.line(`${what.join(', ')}: ${names.join(', ')}${rest}`);
  }
  if (more > 0) output.note(texts.more, { count: more });
  if (lost.keys > 0) output.note(texts.keys, { count: lost.keys }, 'warn');
  if (lost.models.length > 0) output.note(texts.models, { names: lost.models.join(', ') }, 'warn');
  for (const { message, count, names } of refused)
    output.note(texts.refused, { message, count, names: names.join(', ') }, 'warn');
  if (missing > 0) output.note(texts.missing, { count: missing }, 'warn');
  output.note(summary, { count: changed, total: matched }, changed > 0 ? 'ok' : 'dim');
}

function readUndo(text: string): readonly UndoStep[] {
  const read = parseJson(text);
  const undo = isObject(read) ? read['undo'] : undefined;
  if (!Array.isArray(undo)) throw new UsageError(texts.noUndo);
  if (undo.length === 0) throw new UsageError(texts.emptyUndo);
  return undo as readonly UndoStep[];
}

const texts = {
  ids: {
    en: '--ids {text}: use ids with commas: 1,2,3',
    zh: '--ids {text}：请使用以逗号分隔的编号，如 1,2,3',
  },
  oneWay: {
    en: 'Select the rows by --ids, by flags that begin with --match, or by --match-all',
    zh: '请用 --ids、以 --match 开头的条件或 --match-all 之一选择条目',
  },
  yes: {
    en: 'This would change {count} {count:row|rows}: use --yes, or --dry-run to look first',
    zh: '将修改 {count} 项：请使用 --yes，或先用 --dry-run 查看',
  },
  question: { en: 'Change {count} {count:row|rows}?', zh: '修改 {count} 项？' },
  unchanged: { en: 'Nothing was changed', zh: '未作修改' },
  planned: { en: '{count} of {total} would change', zh: '共 {total} 项，将修改 {count} 项' },
  done: { en: 'Changed {count} of {total}', zh: '共 {total} 项，已修改 {count} 项' },
  more: { en: '… and {count} more kinds of change', zh: '……以及另外 {count} 种修改' },
  keys: { en: 'Gone for good: {count} {count:key|keys}', zh: '无法恢复：{count} 个密钥' },
  models: {
    en: 'No enabled channel has these models afterwards: {names}',
    zh: '之后没有已启用的渠道提供这些模型：{names}',
  },
  refused: { en: '{message} ({count}): {names}', zh: '{message}（{count} 项）：{names}' },
  stopped: {
    en: 'Stopped after {count} of {total}; what was changed can be taken back with the next line and --undo',
    zh: '已修改 {total} 项中的 {count} 项后停止；可保存下一行并用 --undo 撤销',
  },
  missing: {
    en: '{count} of the ids {count:names no row|name no rows}',
    zh: '{count} 个编号没有对应的条目',
  },
  noUndo: {
    en: 'The file of --undo has no list "undo": save what the change prints with --json',
    zh: '--undo 的文件中没有 "undo" 列表：请保存修改时 --json 的输出',
  },
  emptyUndo: { en: 'This change cannot be taken back', zh: '该修改无法撤销' },
} as const;
