/** `turnpike logs conversations`: what keeping conversations saved (docs/rules/routing.md#affinity). */
import type { LogEntity } from '../../core/contract/entities.ts';
import { everyRow } from '../../core/contract/every-row.ts';
import { api } from '../../core/contract/index.ts';
import { conversationTurnOf } from '../../core/contract/log-other.ts';
import { logFilters } from '../../core/entities/log-filters.ts';
import { readLog } from '../../core/logs/log-view.ts';
import { logTypes } from '../../core/vocabulary/log-types.ts';
import type { Text } from '../base/text.ts';
import { type Command, type Context, command } from '../command/command.ts';
import { filterFlags } from '../command/filter-flags.ts';
import { progressBar } from '../show/progress-bar.ts';
import { type Column, printTable } from '../show/table.ts';

const { log } = api;
const defaultRows = 2000;
const mostRows = 100_000;

const kinds = ['kept', 'moved', 'other'] as const;
type Kind = (typeof kinds)[number];

interface Sums {
  requests: number;
  /** Tokens of the prompts, and those of them that came from vendors' caches. */
  prompt: number;
  cached: number;
}

/** The newest rows that the flags select, at most `most`. */
async function newestRows(context: Context, most: number): Promise<readonly LogEntity[]> {
  const input = { ...context.values.input(), type: logTypes.consume };
  try {
    return await everyRow((page) => context.call(log.list, { ...input, ...page }), {
      most,
      onPage: (read, total) => context.output.progress(progressBar(read, Math.min(total, most))),
    });
  } finally {
    context.output.progress(undefined);
  }
}

function sumUp(rows: readonly LogEntity[]): Record<Kind, Sums> {
  const none = (): Sums => ({ requests: 0, prompt: 0, cached: 0 });
  const sums: Record<Kind, Sums> = { kept: none(), moved: none(), other: none() };
  for (const row of rows) {
    const { other, input, cached } = readLog(row);
    const sum = sums[conversationTurnOf(other.admin_info?.route?.at(-1)) ?? 'other'];
    sum.requests += 1;
    sum.prompt += input;
    sum.cached += cached;
  }
  return sums;
}

interface Row extends Sums {
  readonly turns: string;
}

const columns: readonly Column<Row>[] = [
  { title: { en: 'requests that', zh: '请求类别' }, value: (row) => row.turns },
  { title: { en: 'requests', zh: '请求数' }, value: (row) => String(row.requests), align: 'right' },
  {
    title: { en: 'prompt tokens', zh: '提示 token' },
    value: (row) => String(row.prompt),
    align: 'right',
  },
  {
    title: { en: 'from caches', zh: '来自缓存' },
    value: (row) => String(row.cached),
    align: 'right',
  },
  {
    title: { en: 'share', zh: '占比' },
    value: ({ prompt, cached }) => (prompt === 0 ? '' : `${((cached / prompt) * 100).toFixed(1)}%`),
    align: 'right',
  },
];

export const logConversationsCommand: Command = command({
  name: 'logs conversations',
  summary: {
    en: 'Share of prompts from vendors’ caches: conversations that kept their channel, and that moved',
    zh: '提示来自厂商缓存的占比：保持渠道与更换渠道的会话',
  },
  details: {
    en: `Reads the newest rows of the usage log, ${defaultRows} unless --rows says otherwise. Only later turns of a conversation are kept or moved; first turns and single requests are the rest.`,
    zh: `读取最新的使用日志，默认 ${defaultRows} 行，可用 --rows 指定。只有会话的后续轮次才算保持或更换，首轮和单独的请求归入其余。`,
  },
  flags: [
    {
      name: 'rows',
      kind: 'integer',
      placeholder: 'N',
      min: 1,
      max: mostRows,
      summary: {
        en: `Rows to read, at most ${mostRows} (default ${defaultRows})`,
        zh: `读取的行数，至多 ${mostRows}（默认 ${defaultRows}）`,
      },
    },
    ...filterFlags(log.list, logFilters).filter(({ name }) => name !== 'type'),
  ],
  async run(context) {
    const rows = await newestRows(context, context.values.integer('rows') ?? defaultRows);
    const sums = sumUp(rows);
    return {
      json: { rows: rows.length, since: rows.at(-1)?.created_at ?? null, ...sums },
      print: async (output, view) =>
        printTable(
          output,
          columns,
          kinds.map((kind): Row => ({ ...sums[kind], turns: output.localize(texts[kind]) })),
          await view(),
        ),
    };
  },
});

const texts = {
  kept: { en: 'kept channel and key', zh: '保持渠道与密钥' },
  moved: { en: 'moved to another', zh: '换到其他渠道或密钥' },
  other: { en: 'are first turns or alone', zh: '首轮或单独的请求' },
} satisfies Record<Kind, Text>;
