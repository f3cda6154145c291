/** Where the site loses money (docs/rules/losses.md). */
import { translate } from '../i18n/translate.ts';
import type { Text } from '../kernel/text.ts';
import { belowCostText } from '../losses/below-cost.ts';
import { type LossKind, lossKinds } from '../vocabulary/loss-kinds.ts';
import { type Check, type Finding, nameList, warning } from './check.ts';

/** What each costs, and what mends it. */
const advice: Readonly<Record<LossKind, { readonly why: Text; readonly mend: Text }>> = {
  below_cost: {
    why: { en: 'Every request for them loses money', zh: '对它们的每个请求都会亏损' },
    mend: {
      en: 'Raise the prices (turnpike prices sync SOURCE), or compare channels with turnpike channels margins',
      zh: '请提高价格（turnpike prices sync SOURCE），或用 turnpike channels margins 比较渠道',
    },
  },
  unknown_cost: {
    why: { en: 'Nobody can say whether they lose money', zh: '无法判断它们是否亏损' },
    mend: {
      en: 'Name the prices of these models with turnpike channels edit ID --cost JSON',
      zh: '请用 turnpike channels edit ID --cost JSON 填写这些模型的上游价格',
    },
  },
  balance: {
    why: {
      en: 'Requests through these channels fail once the account is empty',
      zh: '余额用完后，经由这些渠道的请求会失败',
    },
    mend: { en: 'Pay into the account at the upstream', zh: '请在上游充值' },
  },
  billed_more: {
    why: {
      en: 'The upstream takes money that the margins do not show',
      zh: '上游扣除的金额没有体现在毛利中',
    },
    mend: {
      en: 'Compare the upstream’s bill with turnpike channels margins, and correct the cost of the channel',
      zh: '请对照上游账单与 turnpike channels margins，修正渠道的成本',
    },
  },
  price: {
    why: {
      en: 'Customers pay another price than the one that is followed',
      zh: '客户支付的价格与所跟随的来源不同',
    },
    mend: {
      en: 'See and save them with turnpike prices sync SOURCE',
      zh: '用 turnpike prices sync SOURCE 查看并保存',
    },
  },
};

export const lossChecks: readonly Check[] = [
  {
    id: 'losses',
    title: { en: 'Losses', zh: '亏损' },
    async run({ losses }) {
      const [english, chinese] = await Promise.all([losses.list('en'), losses.list('zh')]);
      const found = lossKinds.flatMap((kind): readonly Finding[] => {
        const en = english.filter((loss) => loss.kind === kind).map(({ text }) => text);
        const zh = chinese.filter((loss) => loss.kind === kind).map(({ text }) => text);
        if (en.length === 0) return [];
        const title = `notice.loss_${kind}` as const;
        const message = {
          en: `${translate('en', title)}: ${nameList(en)}`,
          zh: `${translate('zh', title)}：${nameList(zh)}`,
        };
        return [warning(message, advice[kind].why, advice[kind].mend)];
      });
      // Before anybody has bought it.
      const prices = losses.belowCost([]).map(belowCostText);
      if (prices.length > 0)
        found.push(
          warning(
            {
              en: `Prices below their cost: ${nameList(prices)}`,
              zh: `低于成本的价格：${nameList(prices)}`,
            },
            advice.below_cost.why,
            advice.below_cost.mend,
          ),
        );
      return found;
    },
  },
];
