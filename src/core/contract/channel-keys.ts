import { z } from 'zod';
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
    }),
    output: keyList,
    summary: 'Enable, disable or remove keys of a channel',
  }),
};
