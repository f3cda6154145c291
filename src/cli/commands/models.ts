/**
 * `turnpike models …`: the entries of the model square (docs/rules/console-api.md#model-square).
 */
import { api } from '../../core/contract/index.ts';
import type { ManagedModel } from '../../core/contract/model-square.ts';
import { findEntryProblems } from '../../core/entities/catalog-entry.ts';
import { AppError } from '../../core/kernel/errors.ts';
import { catalogPriceTypes, catalogStatuses } from '../../core/vocabulary/model-square.ts';
import type { Flag } from '../base/flags.ts';
import type { Text } from '../base/text.ts';
import { nothingToChange } from '../base/usage-error.ts';
import {
  type Argument,
  type Command,
  type Context,
  command,
  done,
  listed,
} from '../command/command.ts';
import { fieldFlag } from '../command/field-flag.ts';
import { pageFlags, readRows } from '../command/paging.ts';
import { modelColumns } from '../show/model-columns.ts';
import { printCard } from '../show/table.ts';
import { modelFileCommands } from './model-files.ts';
import { modelSyncCommands } from './model-sync.ts';

const { modelSquare } = api;

const modelArgument: Argument = {
  name: 'model',
  kind: 'text',
  summary: { en: 'Name of the model, as requests have it', zh: '模型名称，与调用时一致' },
};
const splitWords = (text: string) =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** A number that has a name. */
function choiceFlag(
  name: string,
  field: string,
  choices: Readonly<Record<string, number>>,
  summary: Text,
): Flag {
  return {
    name,
    kind: 'text',
    field,
    choices: Object.keys(choices),
    read: (text) => choices[text],
    summary,
  };
}
const statusFlag = (summary: Text) => choiceFlag('status', 'status', catalogStatuses, summary);
const priceFlag = (summary: Text) =>
  choiceFlag('price-type', 'price_type', catalogPriceTypes, summary);

const filters: readonly Flag[] = [
  {
    name: 'search',
    kind: 'text',
    field: 'model',
    summary: { en: 'Part of the name', zh: '名称包含' },
  },
  {
    name: 'type',
    kind: 'text',
    field: 'type',
    read: splitWords,
    summary: { en: 'Types, such as chat', zh: '类型，如 对话' },
  },
  {
    name: 'tag',
    kind: 'text',
    field: 'tags',
    read: splitWords,
    summary: { en: 'Tags, in either language', zh: '标签，中英文均可' },
  },
  {
    name: 'vendor',
    kind: 'text',
    field: 'manufacturer',
    read: splitWords,
    summary: { en: 'Vendors', zh: '厂商' },
  },
  {
    name: 'context',
    kind: 'text',
    field: 'context',
    summary: { en: 'At least this context, such as 32K', zh: '上下文至少，如 32K' },
  },
  {
    name: 'size',
    kind: 'text',
    field: 'specification',
    read: splitWords,
    summary: { en: 'Sizes, such as MoE', zh: '规格，如 MoE' },
  },
  {
    name: 'days',
    kind: 'integer',
    field: 'publish_time',
    min: 1,
    summary: { en: 'Published within so many days', zh: '最近多少天内发布' },
  },
  priceFlag({ en: 'Free or billed', zh: '免费或计费' }),
  statusFlag({ en: 'Only this status', zh: '仅此状态' }),
];

const texted = (field: string, en: string, zh: string, name?: string): Flag =>
  fieldFlag(
    modelSquare.add,
    field,
    { en, zh },
    { kind: 'text', ...(name === undefined ? {} : { name }) },
  );
const worded = (field: string, en: string, zh: string, name?: string): Flag => ({
  ...texted(field, en, zh, name),
  placeholder: 'A,B',
  read: splitWords,
});

const fields: readonly Flag[] = [
  texted(
    'icon',
    'Address of the logo: https, a path of the site, or data:image',
    '图标地址：https、本站路径或 data:image',
  ),
  texted('description', 'Description', '描述'),
  texted('description_en', 'Description in English', '英文描述'),
  texted('type', 'Type, such as 对话', '类型，如 对话'),
  texted('type_en', 'Type in English (known types have one)', '英文类型（常见类型自动填写）'),
  worded('tags', 'Tags', '标签'),
  worded('tags_en', 'Tags in English, in the same order', '英文标签，顺序一致'),
  texted('manufacturer', 'Vendor', '厂商', 'vendor'),
  priceFlag({ en: 'Free or billed', zh: '免费或计费' }),
  texted(
    'model_price',
    'Price per call, shown where the price settings have none',
    '每次价格，仅在价格设置中没有时显示',
  ),
  texted('context', 'Context, such as 128K', '上下文，如 128K'),
  worded('specification', 'Sizes, such as MoE,>100B', '规格，如 MoE,>100B', 'size'),
  texted('publish_time', 'Date as yyyy-MM-dd', '日期，格式 yyyy-MM-dd', 'published'),
  statusFlag({ en: 'Status (default: enabled)', zh: '状态（默认启用）' }),
];

/** Throws AppError catalog_model_unknown. */
async function findEntry(context: Context, model: string): Promise<ManagedModel> {
  const { items } = await context.call(modelSquare.manage, { model });
  const entry = items.find((item) => item.model === model);
  if (entry === undefined) throw new AppError('catalog_model_unknown', { model });
  return entry;
}

function switchTo(
  verb: 'enable' | 'disable',
  status: number,
  summary: Text,
  message: Text,
): Command {
  return command({
    name: `models ${verb}`,
    summary,
    arguments: [modelArgument],
    async run(context) {
      const { model = '' } = context.arguments;
      return done(message, { model }, await context.call(modelSquare.update, { model, status }));
    },
  });
}

export const modelCommands: readonly Command[] = [
  command({
    name: 'models list',
    summary: { en: 'List the entries of the model list', zh: '列出模型广场的条目' },
    flags: [...pageFlags(1), ...filters],
    async run(context) {
      return listed(
        await readRows(context, (input) =>
          context.call(modelSquare.manage, { page_size: 10, ...input }),
        ),
        modelColumns,
      );
    },
  }),
  command({
    name: 'models show',
    summary: { en: 'Show an entry', zh: '查看条目' },
    arguments: [modelArgument],
    async run(context) {
      const entry = await findEntry(context, context.arguments.model ?? '');
      return {
        json: entry,
        print: async (output, view) => printCard(output, modelColumns, entry, await view()),
      };
    },
  }),
  command({
    name: 'models add',
    summary: { en: 'Add a model to the model list', zh: '向模型广场添加模型' },
    arguments: [modelArgument],
    flags: fields,
    async run(context) {
      const { model = '' } = context.arguments;
      const entry = { status: catalogStatuses.enabled, ...context.values.input(), model };
      const missing = findEntryProblems(entry, { complete: true }).filter(
        ({ code }) => code === 'catalog_field_required',
      );
      context.values.require(
        fields.filter(({ field }) => missing.some((problem) => problem.field === field)),
      );
      return done(texts.added, { model }, await context.call(modelSquare.add, entry));
    },
  }),
  command({
    name: 'models edit',
    summary: { en: 'Edit an entry', zh: '修改条目' },
    arguments: [modelArgument],
    flags: fields,
    async run(context) {
      const { model = '' } = context.arguments;
      const input = context.values.input();
      if (Object.keys(input).length === 0) throw nothingToChange();
      return done(
        texts.changed,
        { model },
        await context.call(modelSquare.update, { ...input, model }),
      );
    },
  }),
  switchTo(
    'enable',
    catalogStatuses.enabled,
    { en: 'Show a model as available again', zh: '重新启用模型' },
    { en: 'Enabled {model}', zh: '已启用 {model}' },
  ),
  switchTo(
    'disable',
    catalogStatuses.disabled,
    { en: 'Show a model as not available', zh: '停用模型' },
    { en: 'Disabled {model}', zh: '已停用 {model}' },
  ),
  command({
    name: 'models delete',
    summary: {
      en: 'Delete an entry; channels and prices stay as they are',
      zh: '删除条目；渠道与价格不受影响',
    },
    arguments: [modelArgument],
    confirmation: { en: 'Delete {model} from the model list?', zh: '从模型广场删除 {model}？' },
    async run(context) {
      const { model = '' } = context.arguments;
      await context.call(modelSquare.remove, { model });
      return done(texts.deleted, { model }, { model });
    },
  }),
  ...modelSyncCommands,
  ...modelFileCommands,
];

const texts = {
  added: { en: 'Added {model}', zh: '{model} 已添加' },
  changed: { en: 'Updated {model}', zh: '{model} 已修改' },
  deleted: { en: 'Deleted {model}', zh: '{model} 已删除' },
} as const;
