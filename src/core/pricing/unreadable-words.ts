import type { UnreadablePrice } from './expression-terms.ts';

/** Why the price of a model could not be read, for operators. */
export const unreadableWords: Readonly<
  Record<UnreadablePrice, Readonly<Record<'en' | 'zh', string>>>
> = {
  request: {
    en: 'it depends on the request or the hour',
    zh: '取决于请求内容或时段',
  },
  steps: {
    en: 'kinds of tokens become dearer by different factors',
    zh: '各类 token 随上下文变价的倍数不同',
  },
  kinds: {
    en: 'it prices what has no price of its own here',
    zh: '含有本站没有单独价格的项目',
  },
  text: { en: 'its expression is not understood', zh: '无法识别其表达式' },
  limits: { en: 'it is higher or lower than a price can be', zh: '超出价格允许的范围' },
};
