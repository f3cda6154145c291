/** Tags of channels, for screens that show them instead of channels (docs/rules/channels.md#tags). */
import { z } from '../kernel/zod.ts';
import { channelMatch } from './channel.ts';
import { endpoint, pageQueryFromZero, queryBoolean } from './endpoint.ts';
import { channelEntity } from './entities.ts';

/** What the channels of a tag are together. */
const channelTag = z.object({
  tag: z.string(),
  channels: z.number().int(),
  enabled: z.number().int(),
  disabled: z.number().int(),
  auto_disabled: z.number().int(),
  /** Whose last test failed. */
  failed: z.number().int(),
  used_quota: z.number(),
  /** Milliseconds, mean of those whose last test went well; 0: none did. */
  response_time: z.number().int(),
  groups: z.array(z.string()),
  /** The common value; null where they differ. */
  priority: z.number().int().nullable(),
  weight: z.number().int().nullable(),
});
export type ChannelTag = z.infer<typeof channelTag>;

export const channelTagsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/turnpike/channel/tags',
    access: 'admin',
    input: pageQueryFromZero.extend({
      id_sort: queryBoolean.default(false),
      ...channelMatch.shape,
    }),
    /** `total` counts the tags and the channels without one, which follow them. */
    output: z.object({
      tags: z.array(channelTag),
      channels: z.array(channelEntity),
      total: z.number().int(),
    }),
    summary: 'Tags with sums of their channels, and the channels without a tag',
  }),
  values: endpoint({
    method: 'GET',
    path: '/api/turnpike/channel/tag',
    access: 'admin',
    input: z.object({ tag: z.string().default('') }),
    output: z.object({
      models: z.array(z.string()),
      groups: z.array(z.string()),
      model_mappings: z.array(z.string()),
    }),
    summary: 'What the channels of a tag have in the fields that are edited together',
  }),
};
