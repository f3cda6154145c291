/**
 * The schemas of entities in replies. Presenters return exactly these fields
 * (docs/rules/console-api.md#hidden-values).
 */

import { channelFields } from '../entities/channel.ts';
import { logFields } from '../entities/log.ts';
import { redemptionFields } from '../entities/redemption.ts';
import { tokenFields } from '../entities/token.ts';
import { signedInUserFields, userFields, userInfoFields } from '../entities/user.ts';
import { z } from '../kernel/zod.ts';
import { channelMarks } from '../vocabulary/loss-kinds.ts';
import { subjectKinds } from '../vocabulary/subject-kinds.ts';
import { quotaField } from './endpoint.ts';
import { entitySchema } from './entity-schema.ts';

export const userEntity = entitySchema(userFields);
export type UserEntity = z.infer<typeof userEntity>;

/** The reply to a sign-in by any method. */
export const signedInUser = entitySchema(signedInUserFields);
export type SignedInUser = z.infer<typeof signedInUser>;

export const userInfo = entitySchema(userInfoFields);
export type UserInfo = z.infer<typeof userInfo>;

const unreadable = z.literal(true).optional();

export const tokenEntity = entitySchema(tokenFields).extend({
  /** Present if the key is stored but cannot be decrypted; it is empty then. */
  unreadable,
});
export type TokenEntity = z.infer<typeof tokenEntity>;

export const channelEntity = entitySchema(channelFields).extend({
  /** How it loses money, and its models without a price. Absent: nothing is known. */
  marks: z.array(z.object({ kind: z.enum(channelMarks), text: z.string() })).optional(),
  /** Why the last test failed. Absent: it succeeded. */
  test_error: z.string().optional(),
  /** The upstream's currency. Absent: not reported, assumed to be US dollars. */
  balance_currency: z.string().optional(),
  /** Present if the channel has no key. */
  keyless: z.literal(true).optional(),
  /** Present if the key is stored but cannot be decrypted: the channel serves nothing. */
  unreadable,
  /** Present while the circuit breaker blocks traffic. */
  tripped: z.boolean().optional(),
  /**
   * Details of the open circuit: open since, seconds until one request is let through (0: the
   * next), and the last failure.
   */
  circuit: z
    .object({ since: z.number().int(), retry_in: z.number().int(), cause: z.string() })
    .optional(),
  /** Present while some models cool down because the upstream reported too many requests. */
  cooling: z.array(z.object({ model: z.string(), seconds: z.number().int() })).optional(),
  /**
   * Present if the channel has several keys. `disabled`: those disabled by the gateway, by position
   * from 1.
   */
  multi_key: z
    .object({
      mode: z.enum(['random', 'polling']),
      size: z.number().int(),
      disabled: z.array(
        z.object({ position: z.number().int(), reason: z.string(), time: z.number().int() }),
      ),
    })
    .optional(),
});
export type ChannelEntity = z.infer<typeof channelEntity>;

export const redemptionEntity = entitySchema(redemptionFields).extend({
  /** Present if the code is stored but cannot be decrypted; it is empty then. */
  unreadable,
});
export type RedemptionEntity = z.infer<typeof redemptionEntity>;

export const logEntity = entitySchema(logFields);
export type LogEntity = z.infer<typeof logEntity>;

export const ledgerEntity = z.object({
  id: z.number().int(),
  user_id: z.number().int(),
  token_id: z.number().int().nullable(),
  kind: z.string(),
  amount: quotaField,
  balance_after: quotaField,
  reference: z.string().nullable(),
  /** What it is about; null where its kind says all. */
  subject: z
    .object({
      kind: z.enum(subjectKinds),
      /** Of a request, a task, an order, a code or a user; '' for those who may not know it. */
      id: z.string(),
      /** A model, a payment method, the name of a code or of a user; '' where it is not known. */
      name: z.string(),
    })
    .nullable(),
  created_at: z.number().int(),
});
export type LedgerEntity = z.infer<typeof ledgerEntity>;

/** A change by an administrator. Never contains a secret. */
export const auditEntity = z.object({
  id: z.number().int(),
  /** 0: the program itself, or the operator before the setup. */
  actor_id: z.number().int(),
  /** As the actor was called then. */
  actor_name: z.string(),
  actor_role: z.number().int(),
  action: z.string(),
  target: z.string(),
  /** JSON object text. */
  detail: z.string(),
  ip: z.string(),
  created_at: z.number().int(),
});
export type AuditEntity = z.infer<typeof auditEntity>;

export const groupMap = z.record(z.string(), z.object({ ratio: z.number(), desc: z.string() }));
