export const personal = {
  'personal.title': '个人设置',
  'personal.subtitle': '只影响你自己的账号。',
  'personal.failed': '个人设置加载失败',
  'personal.tab.price': '价格设置',
  'personal.saved': '设置已更新',
  'personal.acceptUnpriced': '接受未设置价格的模型',
  'personal.acceptUnpriced.hint':
    '关闭时，调用没有价格的模型会被拒绝。开启后按倍率 {{ratio}} 计费，即每 100 万输入 tokens {{price}}，可能远高于实际价格。',
} as const;
