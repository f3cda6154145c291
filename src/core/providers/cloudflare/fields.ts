import type { VendorFields } from '../../vocabulary/vendor-fields.ts';

export const cloudflareFields = {
  other: {
    label: { zh: '账户 ID', en: 'Account ID' },
    hint: { zh: '控制台地址里的那一段', en: "As in the address of Cloudflare's dashboard" },
  },
} satisfies VendorFields;
