import type { VendorFields } from '../../vocabulary/vendor-fields.ts';

export const aiProxyFields = {
  other: {
    label: { zh: '知识库 ID', en: 'Knowledge base ID' },
    hint: { zh: '要查询的知识库', en: 'The knowledge base to query' },
  },
} satisfies VendorFields;
