import type { VendorFields } from '../../vocabulary/vendor-fields.ts';

export const vertexFields = {
  other: {
    label: { zh: '区域', en: 'Region' },
    hint: {
      zh: '一个区域，或 JSON：{"default":"us-central1","模型":"区域"}',
      en: 'One region, or JSON: {"default":"us-central1","model":"region"}',
    },
    example: 'us-central1',
    multiline: true,
  },
  settings: {
    vertex_key_type: {
      label: { zh: '密钥类型', en: 'Kind of key' },
      hint: { zh: '默认是服务账号 JSON', en: 'By default a service account JSON' },
      plainKeyWhen: 'api_key',
    },
  },
} satisfies VendorFields;
