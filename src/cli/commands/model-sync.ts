/** `turnpike models sync`: what lists of models say that is new (docs/rules/models.md#sync). */
import { basename } from 'node:path';
import { api } from '../../core/contract/index.ts';
import type { modelSyncApi } from '../../core/contract/model-sync.ts';
import { translate } from '../../core/i18n/translate.ts';
import { dayOf } from '../../core/kernel/clock.ts';
import { AppError, isErrorCode } from '../../core/kernel/errors.ts';
import type { z } from '../../core/kernel/zod.ts';
import { knownModels } from '../../core/models/known-models.ts';
import { readModelList } from '../../core/models/sources/read-list.ts';
import { localize, type Text } from '../base/text.ts';
import {
  type Command,
  type Context,
  command,
  failedWith,
  type Outcome,
} from '../command/command.ts';
import { readInputFile } from '../command/input-file.ts';
import type { Column } from '../show/table.ts';
import { printTable } from '../show/table.ts';

type Report = z.infer<typeof modelSyncApi.run.output>;
type Change = Report['changes'][number];

const kinds: Readonly<Record<Change['kind'], Text>> = {
  new: { en: 'new', zh: '新模型' },
  price: { en: 'price', zh: '价格' },
  end: { en: 'ends', zh: '下线' },
  facts: { en: 'facts', zh: '能力' },
  gone: { en: 'gone', zh: '已移除' },
};
const texts = {
  adopted: { en: 'adopted', zh: '已采用' },
  waits: { en: 'waits', zh: '待采用' },
  none: { en: 'Nothing is new', zh: '没有变动' },
  failed: { en: '{name} could not be read: {error}', zh: '无法读取 {name}：{error}' },
} as const satisfies Record<string, Text>;

/** `input 2 → 2.5, output 10 → 12`; without what is long. */
function describe({ from, to }: Change): string {
  const text = (value: unknown): string =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value)
          .map(([name, part]) => `${name} ${text(part)}`)
          .join(', ')
      : Array.isArray(value)
        ? value.map(text).join(' ')
        : String(value);
  return Object.entries(to)
    .filter(([name]) => name !== 'name' && name !== 'vendor')
    .map(([name, value]) =>
      from[name] === undefined
        ? `${name} ${text(value)}`
        : `${name} ${text(from[name])} → ${text(value)}`,
    )
    .join(', ');
}

const columns: readonly Column<Change>[] = [
  { title: { en: 'model', zh: '模型' }, value: (row) => row.model },
  { title: { en: 'vendor', zh: '厂商' }, value: (row) => row.vendor, narrow: 'drop' },
  {
    title: { en: 'change', zh: '变动' },
    value: (row, view) => localize(view.language, kinds[row.kind]),
  },
  { title: { en: 'what', zh: '内容' }, value: describe, narrow: 'elide' },
  {
    title: { en: 'state', zh: '状态' },
    value: (row, view) =>
      row.kind === 'gone' ? '' : localize(view.language, row.adopted ? texts.adopted : texts.waits),
    tone: (row) => (row.adopted ? 'ok' : 'dim'),
  },
];

/** The models in a file of any known format: of a list of many servers, of vendors that the program knows. */
async function readGiven(context: Context, file: string) {
  const text = await readInputFile(context, file);
  const list = readModelList(text, dayOf(Date.now()));
  if (list === undefined) throw new AppError('model_list_unreadable');
  const vendors = new Set(knownModels.rows().flatMap(({ vendor }) => vendor ?? []));
  const own = list.format === 'turnpike';
  const ofOneServer = own || list.format === 'openrouter';
  return {
    name: file === '-' ? '-' : basename(file),
    own,
    models: list.models
      .filter(({ server }) => ofOneServer || vendors.has(server))
      .map((model) => ({ ...model })),
    rules: list.rules.map((rule) => ({ ...rule })),
  };
}

async function orderOf(context: Context) {
  const { source = 'all' } = context.arguments;
  const prices = context.values.text('prices')?.split(',') ?? [];
  const common = {
    adopt: context.values.on('apply'),
    prices,
    all_prices: context.values.on('all-prices'),
  };
  if (source === 'all' || source === 'channels' || source === 'address')
    return { source, ...common } as const;
  return { source: 'given', list: await readGiven(context, source), ...common } as const;
}

function shown(report: Report): Outcome {
  const { sources, changes } = report;
  const outcome: Outcome = {
    json: report,
    async print(output, view) {
      const { language } = await view();
      for (const { name, error } of sources) {
        if (error === '') continue;
        const reason = isErrorCode(error) ? translate(language, `error.${error}`) : error;
        output.note(texts.failed, { name, error: reason });
      }
      if (changes.length === 0) return output.note(texts.none);
      printTable(output, columns, changes, await view());
    },
  };
  return sources.some(({ error }) => error !== '') ? failedWith(outcome) : outcome;
}

export const modelSyncCommands: readonly Command[] = [
  command({
    name: 'models sync',
    summary: {
      en: 'Look for new models, changed prices and ends; adopt them',
      zh: '检查新模型、价格变动与下线日期，并采用',
    },
    details: {
      en: 'Without flags it only shows what is new. SOURCE is `channels` (the lists of the enabled channels’ vendors), `address` (the option model_sync.address), `all` for both, or a file in the format of Turnpike, LiteLLM, models.dev, genai-prices or OpenRouter.',
      zh: '不带选项时只显示变动。SOURCE 可为 channels（启用渠道的厂商清单）、address（选项 model_sync.address）、all（两者），或 Turnpike、LiteLLM、models.dev、genai-prices、OpenRouter 格式的文件。',
    },
    arguments: [
      {
        name: 'source',
        kind: 'text',
        optional: true,
        summary: {
          en: 'channels, address, all (default) or a file; - for standard input',
          zh: 'channels、address、all（默认）或文件，- 表示标准输入',
        },
      },
    ],
    flags: [
      {
        name: 'apply',
        kind: 'switch',
        summary: {
          en: 'Adopt new models, limits and ends',
          zh: '采用新模型、限制与下线日期',
        },
      },
      {
        name: 'prices',
        kind: 'text',
        placeholder: 'A,B',
        summary: { en: 'Adopt the changed prices of these models', zh: '采用这些模型变动后的价格' },
      },
      {
        name: 'all-prices',
        kind: 'switch',
        summary: { en: 'Adopt every changed price', zh: '采用全部价格变动' },
      },
    ],
    async run(context) {
      return shown(await context.call(api.modelSync.run, await orderOf(context)));
    },
  }),
];
