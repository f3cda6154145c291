import type { VendorFields } from '../../vocabulary/vendor-fields.ts';

export const baiduFields = {
  settings: {
    use_v2: {
      label: { zh: '用 V2 接口', en: 'Use the V2 interface' },
      hint: {
        zh: '密钥属于 V2，但格式看不出来时打开',
        en: 'For keys of V2 that do not look like it',
      },
    },
  },
} satisfies VendorFields;
