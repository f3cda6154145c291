import { auditFilters } from '../entities/audit-filters.ts';
import { z } from '../kernel/zod.ts';
import { endpoint, id, pageOf, pageQuery } from './endpoint.ts';
import { auditEntity } from './entities.ts';
import { filterSchema } from './filter-schema.ts';

export const auditApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/turnpike/audit',
    access: 'root',
    input: pageQuery.extend({
      actor_id: id.optional(),
      ...filterSchema(auditFilters, 'admins').shape,
    }),
    output: pageOf(auditEntity),
    summary: 'What administrators changed, newest first',
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/turnpike/audit/export',
    access: 'root',
    shape: 'file',
    input: filterSchema(auditFilters, 'admins'),
    output: z.string(),
    summary: 'The entries of the audit log that match, as CSV with a sentence each',
  }),
};
