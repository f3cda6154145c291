export const models = {
  'models.price.free': '免费',
  'models.price.billed': '计费',
  'models.status.1': '启用',
  'models.status.2': '停用',
  'models.spec.under10': '10B 以下',
  'models.spec.over100': '100B 以上',
} as const;
