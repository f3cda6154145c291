import type { VendorFields } from '../../vocabulary/vendor-fields.ts';

export const geminiFields = {
  other: {
    label: { zh: 'API 版本', en: 'API version' },
    hint: { zh: '留空用内置版本', en: 'Empty means the built-in one' },
    example: 'v1beta',
  },
} satisfies VendorFields;
