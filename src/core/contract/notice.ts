import { z } from '../kernel/zod.ts';
import { endpoint, nothing } from './endpoint.ts';

/** Notices to the caller (docs/rules/notices.md). */
export const noticeApi = {
  sendTest: endpoint({
    method: 'POST',
    path: '/api/turnpike/self/notices/test',
    access: 'user',
    rate: 'critical',
    input: nothing,
    output: z.undefined(),
    summary: 'Send me a test notice by my saved settings',
  }),
};
