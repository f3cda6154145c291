import { z } from 'zod';
import type { ErrorCode } from '../kernel/errors.ts';
import { byId, endpoint, id, ids, pageQueryFromZeroBySize, queryBoolean } from './endpoint.ts';
import { tokenEntity } from './entities.ts';

export const tokenFields = z.object({
  name: z.string(),
  /** Unix seconds, −1 never. */
  expired_time: z.number().int().default(-1),
  remain_quota: z.number().int().default(0),
  unlimited_quota: z.boolean().default(false),
  model_limits_enabled: z.boolean().default(false),
  model_limits: z.string().default(''),
  /** Addresses or CIDR ranges, one per line. */
  allow_ips: z
    .string()
    .nullish()
    .transform((value) => value ?? ''),
  group: z.string().default(''),
});

/** The same as an edit has them: an absent field stays as it is, so none has a default. */
export const tokenEdits = z.object({
  name: z.string().optional(),
  expired_time: z.number().int().optional(),
  remain_quota: z.number().int().optional(),
  unlimited_quota: z.boolean().optional(),
  model_limits_enabled: z.boolean().optional(),
  model_limits: z.string().optional(),
  allow_ips: z
    .string()
    .nullish()
    .transform((value) => (value === null ? '' : value)),
  group: z.string().optional(),
});

/** Characters of a token's name, by code points. */
export const longestTokenName = 50;

const because = (code: ErrorCode) => ({ error: code });

/**
 * What a token's fields must satisfy, for forms and for the service. The message of an issue is the code of the error that
 * the server replies with.
 */
export const tokenRules = z.object({
  name: z
    .string()
    .trim()
    .min(1, because('name_required'))
    .refine((name) => [...name].length <= longestTokenName, because('name_too_long')),
  /** Unix seconds, −1 never. */
  expired_time: z.int(because('expiry_invalid')).min(-1, because('expiry_invalid')),
  remain_quota: z.int(because('token_quota_invalid')).min(0, because('token_quota_invalid')),
});

/** Most tokens that one call creates. */
export const mostTokensAtOnce = 100;

export const tokenApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/token/',
    access: 'user',
    shape: 'list',
    input: pageQueryFromZeroBySize.extend({
      keyword: z.string().default(''),
      token: z.string().default(''),
      status: z.coerce.number<number>().int().optional(),
    }),
    output: z.array(tokenEntity),
    summary: 'List my tokens, by name, part of the key and status',
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/token/search',
    access: 'user',
    shape: 'list',
    input: z.object({ keyword: z.string().default(''), token: z.string().default('') }),
    output: z.array(tokenEntity),
    summary: 'Search my tokens by name and key',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/token/:id',
    access: 'user',
    input: byId,
    output: tokenEntity,
    summary: 'One of my tokens',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/token/',
    access: 'user',
    input: tokenFields,
    /** The family answers without data; the new token, key included, is an addition. */
    output: tokenEntity,
    summary: 'Create a token',
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/token/',
    access: 'user',
    query: ['status_only'],
    input: tokenEdits.extend({ id, status: z.number().int().optional(), status_only: queryBoolean.optional() }),
    output: tokenEntity,
    summary: 'Edit a token, or with status_only enable or disable it',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/token/:id',
    access: 'user',
    input: byId,
    output: z.undefined(),
    summary: 'Delete a token',
  }),
  createMany: endpoint({
    method: 'POST',
    path: '/api/turnpike/token/batch',
    access: 'user',
    input: tokenFields.extend({ count: z.number().int().min(1).max(mostTokensAtOnce) }),
    output: z.array(tokenEntity),
    summary: 'Create several tokens alike; the names of all but the first get a random suffix',
  }),
  setStatusMany: endpoint({
    method: 'POST',
    path: '/api/turnpike/token/batch/status',
    access: 'user',
    input: z.object({ ids, status: z.number().int() }),
    output: z.number().int(),
    summary: 'Enable or disable several of my tokens, or none when one of them cannot be',
  }),
  removeMany: endpoint({
    method: 'POST',
    path: '/api/token/batch',
    access: 'user',
    input: z.object({ ids }),
    output: z.number().int(),
    summary: 'Delete several of my tokens',
  }),
};
