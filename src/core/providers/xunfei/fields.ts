import type { VendorFields } from '../../vocabulary/vendor-fields.ts';

export const xunfeiFields = {
  other: {
    label: { zh: 'API 版本', en: 'API version' },
    hint: { zh: '留空用 v2.1', en: 'Empty means v2.1' },
    example: 'v2.1',
  },
} satisfies VendorFields;
