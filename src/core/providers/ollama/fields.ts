import type { VendorFields } from '../../vocabulary/vendor-fields.ts';

export const ollamaFields = {
  settings: {
    native_api: {
      label: { zh: '用 Ollama 自己的接口', en: "Ollama's own interface" },
      hint: {
        zh: '参数覆盖可以写 options，例如 num_ctx',
        en: 'Parameter overrides then reach options, such as num_ctx',
      },
    },
  },
} satisfies VendorFields;
