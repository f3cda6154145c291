import { z } from 'zod';
import { endpoint, id, pageOf, pageQuery } from './endpoint.ts';
import { auditEntity } from './entities.ts';

export const auditApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/turnpike/audit',
    access: 'root',
    input: pageQuery.extend({ action: z.string().default(''), actor_id: id.optional() }),
    output: pageOf(auditEntity),
    summary: 'What administrators changed, newest first',
  }),
};
