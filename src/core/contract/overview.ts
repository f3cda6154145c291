import { z } from '../kernel/zod.ts';
import { type ChannelState, channelStates } from '../vocabulary/channel-states.ts';
import { endpoint } from './endpoint.ts';

const channelHealth = z.object({
  id: z.number().int(),
  state: z.enum(channelStates),
  name: z.string(),
  type: z.number().int(),
  status: z.number().int(),
  /** Milliseconds until the first byte, mean of the recent attempts; 0: none yet. */
  response_time: z.number().int(),
  /** The last 20 attempts, oldest first: 0 succeeded, 1 slow, 2 failed. */
  recent: z.array(z.number().int()),
  /** Why and when the gateway disabled it; empty and 0 otherwise. */
  status_reason: z.string(),
  status_time: z.number().int(),
  /** Attempts since the process started; a request may make several. */
  requests: z.number().int(),
  /** The circuit breaker keeps traffic away for now. */
  tripped: z.boolean(),
});

/**
 * All data of a live screen (dashboard, `turnpike tui`). Figures without a time of their own count
 * from the start of this process.
 */
export const overview = z.object({
  started_at: z.number().int(),
  version: z.string(),
  base_url: z.string(),
  rpm: z.number().int(),
  tpm: z.number().int(),
  /** Quota charged and requests since midnight, server time. */
  spent_today: z.number().int(),
  requests_today: z.number().int(),
  /** How requests ended since midnight, server time (docs/rules/usage-logs.md#outcomes). */
  succeeded: z.number().int(),
  failed: z.number().int(),
  refused: z.number().int(),
  /** Since the process started: prompt tokens, and prompt tokens read from caches. */
  prompt_tokens: z.number().int(),
  cached_tokens: z.number().int(),
  /** Requests of each of the last 60 minutes, oldest first. */
  requests_by_minute: z.array(z.number().int()),
  /** Of the same minutes: tokens, quota charged, and requests that failed. */
  tokens_by_minute: z.array(z.number().int()),
  quota_by_minute: z.array(z.number().int()),
  failed_by_minute: z.array(z.number().int()),
  /** Today's spending by model, largest first, at most 8. */
  models: z.array(
    z.object({ model_name: z.string(), quota: z.number().int(), count: z.number().int() }),
  ),
  /** How many channels there are of each state. */
  channel_states: z.object(
    Object.fromEntries(channelStates.map((state) => [state, z.number().int()])) as Record<
      ChannelState,
      z.ZodNumber
    >,
  ),
  /** As many as were requested, the worst first, of the same state the newest. */
  channels: z.array(channelHealth),
  /** Names of background jobs that should have succeeded again by now. */
  late_jobs: z.array(z.string()),
  /** Models that have ended at vendors of channels or will within 30 days, the earliest first. */
  ending_models: z.array(
    z.object({
      model: z.string(),
      /** The first day without it, UTC. */
      ends: z.string(),
      /** Empty: its vendor recommends none. */
      successor: z.string(),
      channels: z.array(z.number().int()),
    }),
  ),
  /** Free megabytes of the data folder's disk where they are few; -1: enough. */
  disk_left: z.number().int(),
  /** Other gateways of this database that share no limits with this one. */
  separate_nodes: z.array(z.object({ host: z.string(), address: z.string() })),
});
export type Overview = z.infer<typeof overview>;
export type ChannelHealth = z.infer<typeof channelHealth>;

export const overviewApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/turnpike/overview',
    access: 'user',
    /** Admins see the whole site unless scope is self. */
    input: z.object({
      scope: z.enum(['site', 'self']).optional(),
      /** Most channels that are listed; 8. */
      channels: z.coerce.number().int().min(0).optional(),
    }),
    output: overview,
    summary: 'Live figures and channel health',
  }),
  channelNames: endpoint({
    method: 'GET',
    path: '/api/turnpike/channel_names',
    access: 'admin',
    input: z.object({}),
    output: z.array(z.object({ id: z.number().int(), name: z.string() })),
    summary: 'Ids and names of all channels',
  }),
};
