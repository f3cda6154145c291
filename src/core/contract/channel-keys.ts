import { z } from '../kernel/zod.ts';
import { byId, endpoint } from './endpoint.ts';

/** One of several keys of a channel. Keys are named by a fingerprint and never shown. */
const channelKey = z.object({
  position: z.number().int(),
  name: z.string(),
  enabled: z.boolean(),
  /** Why it is disabled; '' when it was done by hand, or enabled. */
  reason: z.string(),
  /** Unix seconds of the disabling; 0: enabled. */
  time: z.number().int(),
  /** Quota charged through it since midnight in the server's zone. */
  spent_today: z.number().int(),
  /** In these and the 29 days before. */
  spent_30_days: z.number().int(),
  /** In all. */
  spent: z.number().int(),
  /** Present while the circuit breaker keeps requests away from it. */
  circuit: z
    .object({ since: z.number().int(), retry_in: z.number().int(), cause: z.string() })
    .optional(),
  /** Present while models cool down with it. */
  cooling: z.array(z.object({ model: z.string(), seconds: z.number().int() })).optional(),
});
const keyList = z.object({ mode: z.enum(['random', 'polling']), keys: z.array(channelKey) });
export type ChannelKeyList = z.infer<typeof keyList>;
export type ChannelKey = z.infer<typeof channelKey>;

export const keyActions = ['enable', 'disable', 'remove'] as const;
export type KeyAction = (typeof keyActions)[number];

export const channelKeysApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/turnpike/channel/:id/keys',
    access: 'admin',
    input: byId,
    output: keyList,
    summary: 'Keys of a channel that has several, with their state',
  }),
  change: endpoint({
    method: 'POST',
    path: '/api/turnpike/channel/:id/keys',
    access: 'admin',
    input: byId.extend({
      action: z.enum(keyActions),
      names: z.array(z.string()).min(1).max(10_000),
      /** Why they are disabled, such as the failure of their test; '': by hand. */
      reason: z.string().trim().max(1000).default(''),
    }),
    output: keyList,
    summary: 'Enable, disable or remove keys of a channel',
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/turnpike/channel/:id/keys/add',
    access: 'admin',
    input: byId.extend({
      /** One on each line; of types whose keys are JSON documents, one or an array of them. */
      keys: z.string().min(1).max(1_000_000),
    }),
    output: keyList.extend({
      added: z.number().int(),
      /** Keys that are there already, by their places in what was sent and in the channel. */
      repeated: z.array(z.object({ place: z.number().int(), position: z.number().int() })),
    }),
    summary: 'Add keys to a channel; those that it has already are named and left out',
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/turnpike/channel/:id/keys/test',
    access: 'admin',
    input: byId.extend({
      name: z.string().min(1),
      /** '': the channel's test model, else its first. */
      model: z.string().default(''),
    }),
    output: z.object({
      success: z.boolean(),
      /** The upstream's own words where it has some; '' on success. */
      message: z.string(),
      /** Seconds. */
      time: z.number(),
      /** Whether the failure is that of the key or the channel, not of the request. */
      at_fault: z.boolean(),
    }),
    summary: 'Test one key of a channel with a small request, also a disabled one',
  }),
};
