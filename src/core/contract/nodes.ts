import { z } from 'zod';
import { endpoint, nothing } from './endpoint.ts';

const node = z.object({
  /** Of the process. */
  id: z.string(),
  /** Name of its machine. */
  host: z.string(),
  /** Where it listens, as seen from its own machine. */
  address: z.string(),
  data_dir: z.string(),
  version: z.string(),
  /** Unix seconds. */
  started_at: z.number().int(),
  /** When it last said that it runs, Unix seconds. */
  seen_at: z.number().int(),
  /** The gateway that answers. */
  this: z.boolean(),
  /** It shares limits and announcements with the one that answers. */
  shared: z.boolean(),
});

export const nodesApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/turnpike/nodes',
    access: 'admin',
    input: nothing,
    output: z.array(node),
    summary: 'The gateways that serve this site: where, since when, and whether they share limits',
  }),
};
