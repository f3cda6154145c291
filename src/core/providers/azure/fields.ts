import type { VendorFields } from '../../vocabulary/vendor-fields.ts';

export const azureFields = {
  other: {
    label: { zh: 'API 版本', en: 'API version' },
    hint: { zh: '留空用内置版本', en: 'Empty means the built-in one' },
    example: '2025-04-01-preview',
  },
  settings: {
    azure_strip_dots: {
      label: { zh: '部署名去掉点', en: 'Deployment names without dots' },
      hint: {
        zh: '例如 gpt-3.5-turbo 用部署 gpt-35-turbo',
        en: 'gpt-3.5-turbo is served by the deployment gpt-35-turbo',
      },
    },
    azure_responses_version: {
      label: { zh: 'Responses 的 API 版本', en: 'API version of Responses' },
      hint: { zh: '留空用内置版本', en: 'Empty means the built-in one' },
    },
  },
} satisfies VendorFields;
