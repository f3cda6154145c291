import type { VendorFields } from '../../vocabulary/vendor-fields.ts';

export const awsFields = {
  settings: {
    use_mantle: {
      label: { zh: '用 Mantle 接口', en: 'Mantle interface' },
      hint: {
        zh: 'bedrock-mantle 的 OpenAI 和 Anthropic 接口，用于 GPT 和新的 Claude',
        en: "OpenAI's and Anthropic's wires at bedrock-mantle: for GPT and newer Claude models",
      },
    },
  },
} satisfies VendorFields;
