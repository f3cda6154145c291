import { z } from 'zod';
import { endpoint, id, pageOf, pageQuery, seconds } from './endpoint.ts';
import { auditEntity } from './entities.ts';

export const auditApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/turnpike/audit',
    access: 'root',
    input: pageQuery.extend({
      actor_id: id.optional(),
      /** Id or user name of who acted. */
      actor: z.string().trim().default(''),
      /** Exact; with a dot at its end, all actions that begin with it: `channel.`. */
      action: z.string().default(''),
      /** Exact: an id, a key of an option, a tag, an order number. */
      target: z.string().trim().default(''),
      start_timestamp: seconds.default(0),
      end_timestamp: seconds.default(0),
    }),
    output: pageOf(auditEntity),
    summary: 'What administrators changed, newest first',
  }),
};
