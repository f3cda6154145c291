import type { VendorFields } from '../../vocabulary/vendor-fields.ts';

export const deepseekFields = {
  settings: {
    drop_reasoning_content: {
      label: { zh: '不回传思考内容', en: 'Drop earlier thinking' },
      hint: {
        zh: '用于拒收 reasoning_content 的 R1 一代',
        en: 'For servers of the R1 generation, which refuse reasoning_content',
      },
    },
  },
} satisfies VendorFields;
