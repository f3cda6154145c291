/** Charges by day, token and model (docs/rules/usage-logs.md#activity). */
import { z } from '../kernel/zod.ts';
import { endpoint, queryBoolean } from './endpoint.ts';
import { summaryRange } from './usage-range.ts';

export const activityCalls = {
  exportActivity: endpoint({
    method: 'GET',
    path: '/api/turnpike/data/usage/export',
    access: 'user',
    rate: 'critical',
    shape: 'file',
    /** Whose usage: as in the call `usage`. */
    input: summaryRange.omit({ by: true }).extend({
      scope: z.enum(['site', 'self']).optional(),
      username: z.string().default(''),
      bom: queryBoolean.default(false),
    }),
    output: z.string(),
    summary: 'Charges by day, token and model as CSV',
  }),
};
