/** `channels test` and `channels balance`: calls to the upstream, for one channel or all. */
import { CallError } from '../../../core/contract/envelope.ts';
import { api } from '../../../core/contract/index.ts';
import { formatBalance } from '../../../core/pricing/format-sums.ts';
import { type EndpointType, endpointTypes } from '../../../core/vocabulary/endpoint-types.ts';
import { exitCodeOf, exitCodes } from '../../base/exit-codes.ts';
import type { Flag } from '../../base/flags.ts';
import { UsageError } from '../../base/usage-error.ts';
import type { Argument } from '../../command/command.ts';
import {
  type Command,
  type Context,
  command,
  failedWith,
  listed,
  type Outcome,
} from '../../command/command.ts';
import type { Column } from '../../show/table.ts';

const { channel } = api;
const allFlag: Flag = {
  name: 'all',
  kind: 'switch',
  summary: { en: 'All enabled channels', zh: '所有已启用的渠道' },
};
const optionalId: Argument = {
  name: 'id',
  kind: 'id',
  optional: true,
  summary: { en: 'Channel id', zh: '渠道编号' },
};

interface Probe {
  readonly id: number;
  readonly name: string;
  readonly success: boolean;
  readonly message: string;
  /** Seconds. */
  readonly time?: number;
  readonly balance?: number;
  readonly currency?: string;
}

/**
 * Turns a failure of the upstream into a result; failures of the gateway itself are still thrown.
 */
async function asResult<T extends object>(
  call: Promise<T>,
): Promise<T | { success: false; message: string }> {
  try {
    return await call;
  } catch (error) {
    const isUpstream =
      error instanceof CallError &&
      error.code !== 'not_found' &&
      exitCodeOf(error) !== exitCodes.unreachable;
    if (!isUpstream) throw error;
    return { success: false, message: error.message };
  }
}

interface Probed {
  readonly found: readonly Probe[];
  /** What ended it before its end. */
  readonly failure?: unknown;
}

/** Runs sequentially, so that results are in order and no upstream gets two requests at once. */
async function probe(
  context: Context,
  run: (id: number) => Promise<Omit<Probe, 'id' | 'name'>>,
): Promise<Probed> {
  const id = context.arguments.id;
  if ((id === undefined) !== context.values.on('all')) throw new UsageError(texts.idOrAll);
  if (id !== undefined) {
    const { name } = await context.call(channel.get, { id: Number(id) });
    return { found: [{ id: Number(id), name, ...(await run(Number(id))) }] };
  }
  const found: Probe[] = [];
  try {
    for (const row of await enabledChannels(context)) {
      context.output.note(texts.asking, { id: row.id, name: row.name });
      found.push({ id: row.id, name: row.name, ...(await run(row.id)) });
    }
  } catch (failure) {
    // What was tested before is shown all the same.
    if (found.length === 0) throw failure;
    return { found, failure };
  }
  return { found };
}

async function enabledChannels(
  context: Context,
): Promise<readonly { readonly id: number; readonly name: string }[]> {
  const rows: { readonly id: number; readonly name: string }[] = [];
  for (let page = 0; ; page++) {
    const { items, total } = await context.call(channel.list, { p: page, page_size: 100 });
    rows.push(...items.filter((row) => row.status === 1));
    if (items.length === 0 || (page + 1) * 100 >= total) return rows;
  }
}

/** The object of one channel, or the list of all. Exit code 1 if any failed. */
function outcomeOf(context: Context, probed: Probed, last: Column<Probe>): Outcome {
  const { found, failure } = probed;
  const columns: readonly Column<Probe>[] = [
    { title: { en: 'id', zh: '编号' }, value: (row) => String(row.id), align: 'right' },
    { title: { en: 'name', zh: '名称' }, value: (row) => row.name, narrow: 'elide' },
    {
      title: { en: 'result', zh: '结果' },
      value: (row, view) =>
        (row.success ? { en: 'ok', zh: '正常' } : { en: 'failed', zh: '失败' })[view.language],
      tone: (row) => (row.success ? 'ok' : 'error'),
    },
    last,
    { title: { en: 'message', zh: '信息' }, value: (row) => (row.success ? '' : row.message) },
  ];
  const list = listed({ items: found, total: found.length }, columns);
  const shown = context.values.on('all') ? list : { ...list, json: found[0] };
  const outcome = { ...shown, failure };
  return found.every((row) => row.success) ? outcome : failedWith(outcome);
}

export const channelProbeCommands: readonly Command[] = [
  command({
    name: 'channels test',
    summary: {
      en: 'Test a channel with a small request; exit code 1 on failure',
      zh: '发送一个小请求测试渠道；失败时退出码为 1',
    },
    arguments: [optionalId],
    flags: [
      allFlag,
      {
        name: 'model',
        kind: 'text',
        placeholder: 'MODEL',
        summary: { en: 'Model to test with', zh: '测试用的模型' },
      },
      {
        name: 'endpoint',
        kind: 'text',
        choices: [...endpointTypes],
        summary: {
          en: 'Kind of request (default: chosen by the model)',
          zh: '请求类型（默认由模型决定）',
        },
      },
      {
        name: 'stream',
        kind: 'switch',
        summary: { en: 'Test with a stream', zh: '以流式请求测试' },
      },
    ],
    async run(context) {
      const { values } = context;
      const request = {
        model: values.text('model'),
        endpoint_type: values.text('endpoint') as EndpointType | '' | undefined,
        stream: values.on('stream'),
      };
      const probed = await probe(context, (id) =>
        asResult(context.call(channel.test, { ...request, id })),
      );
      const time: Column<Probe> = {
        title: { en: 'time', zh: '用时' },
        value: (row) => (row.time === undefined ? '' : `${row.time.toFixed(2)} s`),
        align: 'right',
      };
      return outcomeOf(context, probed, time);
    },
  }),
  command({
    name: 'channels balance',
    summary: { en: "Query a channel's balance from its upstream", zh: '查询渠道在上游的余额' },
    arguments: [optionalId],
    flags: [allFlag],
    async run(context) {
      const probed = await probe(context, (id) =>
        asResult(context.call(channel.updateBalance, { id })),
      );
      const balance: Column<Probe> = {
        title: { en: 'balance', zh: '余额' },
        value: (row) =>
          row.balance === undefined || !row.success
            ? ''
            : formatBalance({ amount: row.balance, currency: row.currency ?? '' }),
        align: 'right',
      };
      return outcomeOf(context, probed, balance);
    },
  }),
];

const texts = {
  idOrAll: { en: 'Specify an id or --all', zh: '请指定编号或 --all' },
  asking: { en: '#{id} {name} …', zh: '#{id} {name} …' },
} as const;
