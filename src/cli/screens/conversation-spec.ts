/** The view of conversations and agents under a budget for each: those that cost most first. */
import type { BudgetConversation } from '../../core/contract/budgets.ts';
import { nearShare } from '../../core/vocabulary/budgets.ts';
import type { Glyphs } from '../kit/glyphs.ts';
import { conversationColumns } from '../show/conversation-columns.ts';
import { formatTime } from '../show/times.ts';
import { grantCommand, shareBar } from './budget-spec.ts';
import type { EntitySpec } from './entity-spec.ts';
import { pageSize } from './sizes.ts';
import { type Host, viewTitles } from './view.ts';

/** `#3` is a budget; a number or a name are a user. Undefined: there is no such user. */
async function readFilter({ client }: Host, filter: string) {
  const [, mark = '', id = ''] = /^(#?)(\d{1,15})$/.exec(filter.trim()) ?? [];
  if (id !== '') return mark === '#' ? { budget: Number(id) } : { user_id: Number(id) };
  if (filter.trim() === '') return {};
  const { items } = await client.user.search({ p: 1, page_size: 1, keyword: filter });
  return items[0] && { user_id: items[0].id };
}

export const conversationSpec = (glyphs: Glyphs): EntitySpec<BudgetConversation> => ({
  title: viewTitles.conversations,
  columns: [
    ...conversationColumns(shareBar(glyphs)),
    {
      title: { en: 'since', zh: '开始时间' },
      value: ({ starts_at: start }, { now }) => formatTime(start, now),
      cardOnly: true,
    },
  ],
  keyOf: ({ id }) => id,
  nameOf: ({ subject }) => subject,
  state: ({ used_percent: used }) => {
    if (used >= 100) return { glyph: glyphs.failed, tone: 'error' };
    if (used >= nearShare * 100) return { glyph: glyphs.slow, tone: 'warn' };
    return { glyph: glyphs.on, tone: 'ok' };
  },
  load: async (host, filter, page) => {
    const given = await readFilter(host, filter);
    if (given === undefined) return { items: [], total: 0 };
    return host.client.budgets.conversations({ ...given, p: page + 1, page_size: pageSize });
  },
  commands: [
    grantCommand(
      ({ subject }) => subject,
      ({ id, budget_id }) => ({ id: budget_id, window: id }),
    ),
  ],
  orders: [
    { title: { en: 'used', zh: '已用' }, figure: (row) => row.used_percent },
    { title: { en: 'newest', zh: '最新' }, figure: (row) => row.starts_at },
  ],
});
