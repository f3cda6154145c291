/** `turnpike budgets …` (docs/rules/budgets.md). */
import type { BudgetEntity, BudgetStatus } from '../../core/contract/budgets.ts';
import type { InputOf } from '../../core/contract/endpoint.ts';
import { api } from '../../core/contract/index.ts';
import { budgetFields } from '../../core/entities/budget.ts';
import { budgetFilters } from '../../core/entities/budget-filters.ts';
import { type BudgetPreset, budgetPresets } from '../../core/entities/budget-presets.ts';
import { type BudgetState, budgetStateOf } from '../../core/vocabulary/budgets.ts';
import { localize } from '../base/text.ts';
import { nothingToChange } from '../base/usage-error.ts';
import { type Command, command, done, idArgument, shownEntity } from '../command/command.ts';
import { entityFlags, fieldFlag } from '../command/field-flag.ts';
import { filterFlags } from '../command/filter-flags.ts';
import { pageFlags, readRows } from '../command/paging.ts';
import { userFlag } from '../command/user-flag.ts';
import type { Tone } from '../kit/tones.ts';
import { budgetRows, budgetWindowColumns, weekStartColumn } from '../show/budget-columns.ts';
import { conversationColumns } from '../show/conversation-columns.ts';
import { entityColumns } from '../show/entity-columns.ts';
import { type Column, printTable } from '../show/table.ts';

const { budgets } = api;

const placed = {
  id: { width: 4 },
  name: {},
  owner: {},
  owner_id: {},
  each: {},
  amount: {},
  period: {},
  at_end: {},
  enabled: {},
  week_start: weekStartColumn,
};

const budgetColumns = entityColumns<typeof budgetFields, BudgetEntity>(budgetFields, placed);

const tones = {
  passed: 'error',
  near: 'warn',
  within: 'ok',
  unused: 'plain',
  off: 'dim',
} as const satisfies Record<BudgetState, Tone>;

const listColumns: readonly Column<BudgetStatus>[] = [
  ...entityColumns<typeof budgetFields, BudgetStatus>(budgetFields, placed),
  {
    title: { en: 'status', zh: '状态' },
    value: (budget) => budgetStateOf(budget),
    tone: (budget) => tones[budgetStateOf(budget)],
  },
];

const listFlags = [
  ...filterFlags(budgets.status, budgetFilters),
  fieldFlag(budgets.status, 'sort', {
    en: 'used: the fullest first; id: by number',
    zh: 'used：用得最多的在前；id：按编号',
  }),
];

/** Cells of the bar of a window. */
const barWidth = 20;

const windowColumns = budgetWindowColumns((share) => {
  const filled = Math.min(barWidth, Math.floor(share * barWidth));
  return `[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}]`;
});

export const budgetCommands: readonly Command[] = [
  command({
    name: 'budgets list',
    summary: { en: 'List budgets with their status', zh: '列出预算及其状态' },
    flags: [...pageFlags(1), ...listFlags],
    calls: budgets.status,
    columns: listColumns,
  }),
  command({
    name: 'budgets status',
    summary: {
      en: 'What was spent of each budget in its open windows',
      zh: '查看每个预算在当前窗口的使用情况',
    },
    flags: [...pageFlags(1), ...listFlags],
    async run(context) {
      const { items, total } = await readRows(context, (input) =>
        context.call(budgets.status, input),
      );
      const site = await context.call(budgets.siteRate, {});
      return {
        json: { items, total, site_rate: site },
        print: async (output, view) => {
          const shown = await view();
          printTable(output, windowColumns, budgetRows(items), shown);
          if (site === null) return;
          const { minutes, requests, successes } = site;
          const text = requests > 0 ? texts.site : texts.successes;
          output.line(localize(shown.language, text, { minutes, requests, successes }));
        },
      };
    },
  }),
  command({
    name: 'budgets conversations',
    summary: {
      en: 'List conversations and agents that have a budget each, by their cost, with their limits',
      zh: '按消费列出受预算限制的会话和智能体，及其限制',
    },
    details: {
      en: 'budgets grant lets one go on: with the number of its budget and its window.',
      zh: '用 budgets grant 加预算编号和窗口编号即可放行。',
    },
    flags: [
      ...pageFlags(1),
      userFlag(budgets.conversations, 'user_id'),
      fieldFlag(budgets.conversations, 'budget', {
        en: 'Only under this budget',
        zh: '仅此预算的',
      }),
    ],
    calls: budgets.conversations,
    columns: conversationColumns(),
  }),
  command({
    name: 'budgets show',
    summary: { en: 'Show a budget', zh: '查看预算' },
    arguments: [idArgument],
    calls: budgets.get,
    columns: budgetColumns,
  }),
  command({
    name: 'budgets add',
    summary: { en: 'Create a budget', zh: '创建预算' },
    flags: [
      ...entityFlags(budgets.create, budgetFields, {
        owner: { required: true },
        owner_id: { required: true },
      }),
      {
        name: 'preset',
        kind: 'text',
        choices: Object.keys(budgetPresets),
        summary: {
          en: 'Limits for each conversation that fit most; other flags change it',
          zh: '适合多数情况的会话限制；其他参数可覆盖',
        },
      },
    ],
    async run(context) {
      const preset = context.values.text('preset') as BudgetPreset | undefined;
      const input = {
        ...(preset === undefined ? {} : budgetPresets[preset]),
        ...context.values.input(),
      } as InputOf<typeof budgets.create>;
      return shownEntity(await context.call(budgets.create, input), budgetColumns);
    },
  }),
  command({
    name: 'budgets edit',
    summary: { en: 'Edit a budget', zh: '修改预算' },
    arguments: [idArgument],
    flags: entityFlags(budgets.update, budgetFields),
    async run(context) {
      const id = Number(context.arguments.id);
      const input = context.values.input();
      if (Object.keys(input).length === 0) throw nothingToChange();
      return done(texts.changed, { id }, await context.call(budgets.update, { ...input, id }));
    },
  }),
  command({
    name: 'budgets grant',
    summary: {
      en: 'Add to what may be spent in one window (its number is in budgets status)',
      zh: '为某个窗口追加额度（窗口编号见 budgets status）',
    },
    arguments: [idArgument],
    flags: [
      fieldFlag(
        budgets.grant,
        'window',
        { en: 'Number of the window', zh: '窗口编号' },
        { required: true, min: 1 },
      ),
      fieldFlag(
        budgets.grant,
        'amount',
        { en: 'Quota to add', zh: '追加的额度' },
        { required: true, min: 0 },
      ),
    ],
    calls: budgets.grant,
    done: { en: 'Added to budget {id}', zh: '已为预算 {id} 追加额度' },
  }),
  command({
    name: 'budgets delete',
    summary: { en: 'Delete a budget', zh: '删除预算' },
    arguments: [idArgument],
    confirmation: { en: 'Delete budget {id}?', zh: '删除预算 {id}？' },
    calls: budgets.remove,
    done: { en: 'Deleted budget {id}', zh: '预算 {id} 已删除' },
  }),
];

const texts = {
  site: {
    en: 'Each user, by the options of the site: {requests} requests in {minutes} min, {successes} of them successful',
    zh: '站点选项对每个用户的限制：{minutes} 分钟内 {requests} 次请求，其中成功 {successes} 次',
  },
  successes: {
    en: 'Each user, by the options of the site: {successes} successful requests in {minutes} min',
    zh: '站点选项对每个用户的限制：{minutes} 分钟内成功请求 {successes} 次',
  },
  changed: { en: 'Updated budget {id}', zh: '预算 {id} 已修改' },
} as const;
