/** Conversations and agents under a budget for each: their cost, and what they used of their fence. */
import type { BudgetConversation } from '../../core/contract/budgets.ts';
import { formatCount } from '../../core/pricing/format.ts';
import { nearShare } from '../../core/vocabulary/budgets.ts';
import { localize } from '../base/text.ts';
import type { Column } from './table.ts';

const parts = ['requests', 'minutes', 'repeats', 'pace'] as const;

/** `drawBar` gets what is used of the limit that is nearest to its end, from 0. */
export const conversationColumns = (
  drawBar: (share: number) => string = () => '',
): readonly Column<BudgetConversation>[] => [
  {
    title: { en: 'conversation', zh: '会话' },
    value: ({ subject }) => subject,
    narrow: 'elide',
    isId: true,
  },
  {
    title: { en: 'user', zh: '用户' },
    value: ({ username, user_id }) => username || (user_id === 0 ? '' : `#${user_id}`),
    width: 8,
  },
  {
    title: { en: 'budget', zh: '预算' },
    value: ({ budget_id, budget_name }) => `#${budget_id} ${budget_name}`.trim(),
    narrow: 'elide',
    width: 10,
    expendable: 2,
  },
  {
    title: { en: 'window id', zh: '窗口编号' },
    value: ({ id }) => String(id),
    align: 'right',
    width: 9,
  },
  {
    title: { en: 'cost', zh: '费用' },
    value: ({ spent, limit }, { money }) => `${money.total(spent)} / ${money.total(limit)}`,
    align: 'right',
    width: 15,
  },
  {
    title: { en: 'limits', zh: '限制' },
    value: ({ fence }, { language }) =>
      parts
        .filter((part) => fence[part].limit > 0)
        .map((part) => {
          const { used, limit } = fence[part];
          const figure = `${formatCount(used)} / ${formatCount(limit)}`;
          return localize(language, texts[part], { figure });
        })
        .join(language === 'zh' ? '，' : ', '),
    width: 20,
    expendable: 1,
  },
  {
    title: { en: 'used', zh: '已用' },
    value: ({ used_percent: used }) => `${drawBar(used / 100)} ${used} %`.trim(),
    tone: ({ used_percent: used }) =>
      used >= 100 ? 'error' : used >= nearShare * 100 ? 'warn' : 'ok',
    align: 'right',
    width: 16,
  },
];

const texts = {
  requests: { en: '{figure} requests', zh: '{figure} 次请求' },
  minutes: { en: '{figure} min', zh: '{figure} 分钟' },
  repeats: { en: '{figure} repetitions', zh: '重复 {figure} 次' },
  pace: { en: '{figure} times the usual', zh: '平时的 {figure} 倍' },
} as const;
