/** Making a budget in the terminal screens: whose, how much, in which time, and its name. */
import { budgetOwners, budgetPeriods } from '../../core/vocabulary/budgets.ts';
import { readAmount } from './amounts.ts';
import type { EntityCommand } from './entity-spec.ts';
import type { Host } from './view.ts';

const periods = budgetPeriods.filter((period) => period !== 'none');

/** Asks for each, one after the other. Its other fields are edited afterwards. */
export const createBudget: EntityCommand<unknown> = {
  action: 'newBudget',
  isForAll: true,
  run(host, { reload }) {
    host.prompt(texts.owner, '', 'token ', (whose) => {
      const owner = readOwner(host, whose);
      host.prompt(texts.amount, '', '$10', (typed) => {
        const amount = readAmount(host, typed);
        host.prompt(texts.period, '', 'month', (text) => {
          const period = readPeriod(host, text);
          host.prompt(texts.name, '', '', async (name) => {
            const made = { ...owner, amount, period, name: name.trim() };
            const { id } = await host.client.budgets.create(made);
            await reload();
            host.showMessage(host.localize(texts.made, { id }), 'ok');
          });
        });
      });
    });
  },
};

function readOwner(host: Host, text: string) {
  const [, owner = '', id = ''] = /^\s*(\w+)\s+#?(\S.*?)\s*$/.exec(text) ?? [];
  const known = budgetOwners.find((one) => one === owner.toLowerCase());
  if (known === undefined) throw new Error(host.localize(texts.notAnOwner, { text: text.trim() }));
  return { owner: known, owner_id: id };
}

function readPeriod(host: Host, text: string): string {
  const period = periods.find((one) => one === text.trim().toLowerCase());
  if (period === undefined) throw new Error(host.localize(texts.notAPeriod, { text: text.trim() }));
  return period;
}

const texts = {
  owner: {
    en: 'for (token 12, user 7, group vip, model NAME): ',
    zh: '对象（token 12、user 7、group vip 或 model 名称）：',
  },
  amount: { en: 'amount (500000 or $1): ', zh: '额度（500000 或 $1）：' },
  period: {
    en: 'period (hour, 5h, day, week, month, total): ',
    zh: '周期（hour、5h、day、week、month、total）：',
  },
  name: { en: 'name (may be empty): ', zh: '名称（可留空）：' },
  made: { en: 'Made budget #{id}', zh: '已新建预算 #{id}' },
  notAnOwner: {
    en: '"{text}" is not token, user, group or model with an id or name',
    zh: '“{text}”不是 token、user、group 或 model 加编号或名称',
  },
  notAPeriod: { en: '"{text}" is no period', zh: '“{text}”不是可用的周期' },
} as const;
