/** One change of many rows, shown before it is made (docs/rules/console-api.md#bulk-changes). */
import { z } from '../kernel/zod.ts';
import { channelMatch } from './channel.ts';
import { endpoint, ids, quotaField } from './endpoint.ts';
import { tokenMatch } from './token.ts';
import { userMatch } from './user.ts';
import { userTokenMatch } from './user-tokens.ts';

const value = z.union([z.string(), z.number()]);
const values = z.record(z.string(), value);
const names = z.array(z.string().trim().min(1)).min(1);

/** What rows go back to: only those that still have what the change gave them. */
const undoStep = z.object({ ids, from: values, to: values });
export type UndoStep = z.infer<typeof undoStep>;

const input = <M extends z.ZodObject, C extends z.ZodObject>(match: M, change: C) =>
  z.object({
    /** Exactly one of `ids`, `match` and `undo`. */
    ids: ids.optional(),
    /** Only with `preview`, whose reply names the rows. */
    match: match.optional(),
    change: change.optional(),
    /** From the reply to the change that is taken back. */
    undo: z.array(undoStep).min(1).max(1000).optional(),
    /** Nothing is written. */
    preview: z.boolean().default(false),
  });

const output = z.object({
  /** Rows that were named, or that match. */
  matched: z.number().int(),
  /** Rows that differ afterwards. */
  changed: z.number().int(),
  /** Rows with the same change, the most first; `names` are a few of them. */
  groups: z.array(
    z.object({
      /** Of a list what is added and removed, of other fields the values. */
      changes: z.array(
        z.object({
          field: z.string(),
          from: value,
          to: value,
          added: z.array(z.string()),
          removed: z.array(z.string()),
        }),
      ),
      count: z.number().int(),
      names: z.array(z.string()),
    }),
  ),
  /** Groups beyond those. */
  more_groups: z.number().int(),
  refused: z.array(
    z.object({ message: z.string(), count: z.number().int(), names: z.array(z.string()) }),
  ),
  /** The rows that a preview would change, and no others. */
  ids: z.array(z.number().int()),
  /** Empty: nothing was changed, or it cannot be taken back. */
  undo: z.array(undoStep),
  /** What is gone for good with deleted channels; models that no enabled channel has any more. */
  lost: z.object({ keys: z.number().int(), models: z.array(z.string()) }),
});
export type BulkOutput = z.infer<typeof output>;

export const channelBulkChange = z.object({
  status: z.number().int().optional(),
  groups: names.optional(),
  add_groups: names.optional(),
  remove_groups: names.optional(),
  models: names.optional(),
  add_models: names.optional(),
  remove_models: names.optional(),
  /** Where a channel has the first, it has the second in its place. */
  replace_model: z.tuple([z.string().trim().min(1), z.string().trim().min(1)]).optional(),
  priority: z.number().int().optional(),
  weight: z.number().int().optional(),
  /** '' removes it. */
  tag: z.string().optional(),
  auto_ban: z.number().int().min(0).max(1).optional(),
  /** Alone. Deleted channels do not come back. */
  delete: z.literal(true).optional(),
});

export const userBulkChange = z.object({
  /** 1 or 2: unbans or bans. */
  status: z.number().int().optional(),
  group: z.string().optional(),
  /** Quota that each is given; it is not taken back by `undo`. */
  grant: quotaField.positive().optional(),
  remark: z.string().max(255).optional(),
  sign_out: z.literal(true).optional(),
});

export const tokenBulkChange = z.object({
  status: z.number().int().optional(),
  /** '' : the group of the user. */
  group: z.string().optional(),
  /** Unix seconds; -1: never. */
  expired_time: z.number().int().min(-1).optional(),
  /** Alone. Deleted tokens do not come back. */
  delete: z.literal(true).optional(),
});
export type TokenBulkChange = z.infer<typeof tokenBulkChange>;
export type UserBulkChange = z.infer<typeof userBulkChange>;
export type ChannelBulkChange = z.infer<typeof channelBulkChange>;

export const bulkApi = {
  channels: endpoint({
    method: 'POST',
    path: '/api/turnpike/bulk/channels',
    access: 'admin',
    input: input(channelMatch, channelBulkChange),
    // What is taken back has the models of a thousand channels, before and after.
    bodyLimit: 8 * 1024 * 1024,
    output,
    summary: 'Change many channels at once, or show what that would change',
  }),
  users: endpoint({
    method: 'POST',
    path: '/api/turnpike/bulk/users',
    access: 'admin',
    input: input(userMatch, userBulkChange),
    output,
    summary: 'Change many users at once, or show what that would change',
  }),
  tokens: endpoint({
    method: 'POST',
    path: '/api/turnpike/bulk/tokens',
    access: 'user',
    input: input(tokenMatch, tokenBulkChange),
    output,
    summary: 'Change many of my tokens at once, or show what that would change',
  }),
  userTokens: endpoint({
    method: 'POST',
    path: '/api/turnpike/bulk/user-tokens',
    access: 'admin',
    input: input(userTokenMatch, tokenBulkChange),
    output,
    summary: 'Change tokens of any users at once, or show what that would change',
  }),
};
