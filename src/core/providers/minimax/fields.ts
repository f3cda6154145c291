import type { VendorFields } from '../../vocabulary/vendor-fields.ts';

export const minimaxFields = {
  settings: {
    group_id: {
      label: { zh: '账户组 ID', en: 'Group ID' },
      hint: {
        zh: '密钥里没有时，向量请求要用',
        en: 'For embeddings, where the key does not hold it',
      },
    },
  },
} satisfies VendorFields;
