/** What the site has now. */
import type { BudgetEntity } from '../../../core/contract/budgets.ts';
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { api } from '../../../core/contract/index.ts';
import type { Context } from '../../command/command.ts';
import { isConfigured } from './budgets.ts';

export async function liveChannels(context: Context): Promise<readonly ChannelEntity[]> {
  const rows: ChannelEntity[] = [];
  for (let page = 0; ; page++) {
    const { items, total } = await context.call(api.channel.list, {
      p: page,
      page_size: 100,
      id_sort: true,
    });
    rows.push(...items);
    if (items.length === 0 || rows.length >= total) return rows;
  }
}

export const liveOptions = (context: Context) =>
  context.call(api.option.list, { with_flags: true });
export const liveModels = async (context: Context) =>
  (await context.call(api.modelSquare.manage, {})).items;
/** Those of users and tokens are about them, and no configuration. */
export const liveBudgets = async (context: Context): Promise<readonly BudgetEntity[]> =>
  (await context.call(api.budgets.list, {})).filter(({ owner }) => isConfigured(owner));
