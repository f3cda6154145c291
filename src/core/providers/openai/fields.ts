import type { VendorFields } from '../../vocabulary/vendor-fields.ts';

export const openaiFields: VendorFields = { organization: true };
