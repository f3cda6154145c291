import { auditFilters } from '../entities/audit-filters.ts';
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
};
