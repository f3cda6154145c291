/** `turnpike prices sync` (docs/rules/pricing.md#price-sources). */
import { basename } from 'node:path';
import { api } from '../../core/contract/index.ts';
import type { PricedModelEntity } from '../../core/contract/price-sync.ts';
import { decimal } from '../../core/kernel/decimal.ts';
import { priceWords } from '../../core/pricing/all-prices.ts';
import { formatPrice } from '../../core/pricing/format.ts';
import { publicLists } from '../../core/pricing/source-prices.ts';
import { unreadableWords } from '../../core/pricing/unreadable-words.ts';
import { UsageError } from '../base/usage-error.ts';
import { noteBelowCost } from '../command/below-cost.ts';
import { type Command, type Context, command } from '../command/command.ts';
import { readInputFile } from '../command/input-file.ts';
import { type Column, printTable } from '../show/table.ts';

/** A line of the table: one price of a model. */
interface Row {
  readonly model: string;
  readonly kind: string;
  readonly site: number | null;
  readonly source: number | null;
  /** Of the model, on its first line. */
  readonly sums?: PricedModelEntity;
}

const priceText = (price: number | null) =>
  price === null ? '—' : formatPrice(decimal(price)).text;

const columns: readonly Column<Row>[] = [
  { title: { en: 'model', zh: '模型' }, value: (row) => row.model, narrow: 'elide' },
  {
    title: { en: 'price', zh: '价格项' },
    value: (row, { language }) => priceWords(row.kind, language),
  },
  { title: { en: 'site', zh: '本站' }, value: (row) => priceText(row.site), align: 'right' },
  { title: { en: 'source', zh: '来源' }, value: (row) => priceText(row.source), align: 'right' },
  {
    title: { en: 'requests', zh: '请求数' },
    value: ({ sums }) => (sums === undefined ? '' : String(sums.requests)),
    align: 'right',
    narrow: 'drop',
  },
  {
    title: { en: 'paid', zh: '已付' },
    value: ({ sums }, view) => (sums === undefined ? '' : view.money.total(sums.paid)),
    align: 'right',
  },
  {
    title: { en: 'would pay', zh: '按新价' },
    value: ({ sums }, view) => (sums === undefined ? '' : view.money.total(sums.would_pay)),
    align: 'right',
  },
];

interface UserRow {
  readonly username: string;
  readonly paid: number;
  readonly would_pay: number;
}
const userColumns: readonly Column<UserRow>[] = [
  { title: { en: 'user', zh: '用户' }, value: (row) => row.username, narrow: 'elide' },
  {
    title: { en: 'paid', zh: '已付' },
    value: (row, view) => view.money.total(row.paid),
    align: 'right',
  },
  {
    title: { en: 'would pay', zh: '按新价' },
    value: (row, view) => view.money.total(row.would_pay),
    align: 'right',
  },
];

/** A name or an address is read by the gateway; anything else is a file here. */
async function sourceOf(context: Context) {
  const { source = '' } = context.arguments;
  if (source === 'catalogue' || source in publicLists || /^https?:\/\//.test(source))
    return { source };
  const text = await readInputFile(context, source);
  return { source: source === '-' ? '-' : basename(source), text };
}

function marginOf(context: Context): number {
  const text = context.values.text('margin') ?? '1';
  const margin = Number(text);
  if (!(margin > 0 && margin <= 1000)) throw new UsageError(texts.margin, { text });
  return margin;
}

export const priceSyncCommands: readonly Command[] = [
  command({
    name: 'prices sync',
    summary: {
      en: 'Show what prices would become by a source, and save those that you want',
      zh: '查看按来源的新价格，并保存所选的',
    },
    details: {
      en: 'SOURCE is catalogue, litellm, models.dev, openrouter, the address of a list or of another gateway, or a file. Nothing is saved before it was shown: you are asked on a terminal, elsewhere --yes saves.',
      zh: '来源可以是 catalogue、litellm、models.dev、openrouter、列表或其他网关的地址，或文件。显示之前不会保存：在终端中会询问，其他情况用 --yes 保存。',
    },
    arguments: [{ name: 'source', kind: 'text', summary: { en: 'Source', zh: '来源' } }],
    flags: [
      {
        name: 'margin',
        kind: 'text',
        placeholder: 'FACTOR',
        summary: { en: 'Times the price of the source, such as 1.2', zh: '来源价格的倍数，如 1.2' },
      },
      {
        name: 'models',
        kind: 'text',
        placeholder: 'A,B',
        summary: { en: 'Only these models', zh: '仅这些模型' },
      },
      {
        name: 'all',
        kind: 'switch',
        summary: { en: 'Also models that no channel offers', zh: '也包括没有渠道提供的模型' },
      },
      {
        name: 'days',
        kind: 'integer',
        min: 0,
        max: 90,
        summary: {
          en: 'Days of usage that are priced anew (7; 0: none)',
          zh: '按新价重算的用量天数（默认 7，0 为不算）',
        },
      },
      {
        name: 'follow',
        kind: 'switch',
        summary: { en: 'Save these prices daily from now on', zh: '以后每天自动保存这些价格' },
      },
      {
        name: 'watch',
        kind: 'switch',
        summary: { en: 'Tell of differences daily from now on', zh: '以后每天提醒价格差异' },
      },
    ],
    async run(context) {
      const { values } = context;
      if (values.on('follow') && values.on('watch')) throw new UsageError(texts.followOrWatch);
      const source = { ...(await sourceOf(context)), margin: marginOf(context) };
      const days = values.integer('days');
      const found = await context.call(api.priceSync.preview, {
        ...source,
        all: values.on('all'),
        ...(days !== undefined && { days }),
      });
      const wanted = values
        .text('models')
        ?.split(',')
        .map((name) => name.trim());
      const isWanted = (model: string) => wanted?.includes(model) ?? true;
      const models = found.models.filter(({ model }) => isWanted(model));
      const below = found.below_cost.filter(({ model }) =>
        models.some((one) => one.model === model),
      );
      const follow = values.on('follow') ? 'save' : values.on('watch') ? 'tell' : 'no';
      // A model that has the price already can follow it, too.
      const followed = follow === 'no' ? [] : found.same.filter(isWanted);
      const chosen = [
        ...models.map(({ model, version }) => ({ model, version })),
        ...followed.map((model) => ({ model, version: '' })),
      ];
      const save = async () => {
        // What is below its cost was shown with the rest.
        const below_cost = below.length > 0;
        await context.call(api.priceSync.apply, { ...source, models: chosen, follow, below_cost });
      };
      const isSaved = values.on('yes') && chosen.length > 0;
      if (isSaved) await save();
      return {
        json: { ...found, models, same: found.same.filter(isWanted), below_cost: below },
        async print(output, view) {
          const { language } = await view();
          for (const { model, reason } of found.skipped)
            output.note(
              texts.skipped,
              { model, reason: unreadableWords[reason][language] },
              'warn',
            );
          if (models.length === 0) output.note(texts.none, { count: found.found });
          if (chosen.length === 0) return;
          const rows = models.flatMap((sums) =>
            sums.changes.map((change, index): Row => {
              const line = { ...change, model: index === 0 ? sums.model : '' };
              return index === 0 ? { ...line, sums } : line;
            }),
          );
          if (rows.length > 0) printTable(output, columns, rows, await view());
          if (found.users.length > 0) printTable(output, userColumns, found.users, await view());
          noteBelowCost(output, below);
          if (found.partial) output.note(texts.partial, {}, 'warn');
          const count = chosen.length;
          if (!isSaved) {
            const { interactive, confirm } = context.terminal;
            if (!interactive || !(await confirm(texts.question, { count })))
              return output.note(texts.unsaved);
            await save();
          }
          output.note(texts.saved, { count }, 'ok');
        },
      };
    },
  }),
];

const texts = {
  margin: { en: '{text} is no factor above 0', zh: '{text} 不是大于 0 的倍数' },
  followOrWatch: {
    en: 'Use either --follow or --watch',
    zh: '--follow 与 --watch 只能选一个',
  },
  none: {
    en: 'No price changes; the source has {count} of the models',
    zh: '没有价格变化；来源中有 {count} 个模型',
  },
  skipped: {
    en: '{model}: the source’s price cannot be read: {reason}',
    zh: '{model}：无法读取来源的价格：{reason}',
  },
  partial: {
    en: 'There is too much usage: the oldest requests were left out',
    zh: '用量过多：最早的请求未计入',
  },
  question: { en: 'Save the prices of {count} models?', zh: '保存 {count} 个模型的价格？' },
  unsaved: { en: 'Nothing was saved', zh: '未保存' },
  saved: { en: 'Saved the prices of {count} models', zh: '已保存 {count} 个模型的价格' },
} as const;
