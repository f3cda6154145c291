import { z } from '../kernel/zod.ts';
import { nodeStates } from '../vocabulary/nodes.ts';
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
  /** `draining`: it takes nothing new. `empty`: and nothing is under way any more. */
  state: z.enum(nodeStates),
  /** It ends as soon as it is empty. */
  stopping: z.boolean(),
  /** Requests, WebSockets and jobs of the site under way, as it said last. */
  under_way: z.number().int(),
});

/** The id of a gateway. */
const named = z.string().min(1).max(100);

export const nodesApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/turnpike/nodes',
    access: 'admin',
    input: nothing,
    output: z.array(node),
    summary: 'The gateways that serve this site: where, since when, and whether they share limits',
  }),
  drain: endpoint({
    method: 'POST',
    path: '/api/turnpike/nodes/drain',
    access: 'root',
    input: z.object({ node: named, stop: z.boolean().optional() }),
    output: z.array(node),
    summary:
      'A gateway takes nothing new: balancers leave it, what is under way ends. With stop it ends then. Replies with those that it is about: all workers behind its port',
  }),
  resume: endpoint({
    method: 'POST',
    path: '/api/turnpike/nodes/resume',
    access: 'root',
    input: z.object({ node: named }),
    output: z.array(node),
    summary: 'A gateway that was drained takes work again',
  }),
};
