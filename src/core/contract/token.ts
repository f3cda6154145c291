import { tokenFields } from '../entities/token.ts';
import { tokenFilters } from '../entities/token-filters.ts';
import type { ErrorCode } from '../kernel/errors.ts';
import { z } from '../kernel/zod.ts';
import { byId, endpoint, id, ids, pageQueryFromZeroBySize, queryBoolean } from './endpoint.ts';
import { tokenEntity } from './entities.ts';
import { entityEditSchema, entityRules, newEntitySchema } from './entity-schema.ts';
import { filterSchema } from './filter-schema.ts';

export const newToken = newEntitySchema(tokenFields);
export const tokenEdits = entityEditSchema(tokenFields);

const because = (code: ErrorCode) => ({ error: code });

/**
 * The limits that a token's form checks. The quota of an unlimited token may be negative; its form
 * then sends 0.
 */
export const tokenRules = entityRules(tokenFields).extend({
  remain_quota: z.int(because('token_quota_invalid')).min(0, because('token_quota_invalid')),
});

/** Which of one's own tokens a list shows. */
export const tokenMatch = filterSchema(tokenFilters, 'owner');

/** The most tokens that one call creates. */
export const mostTokensAtOnce = 100;

export const tokenApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/token/',
    access: 'user',
    shape: 'list',
    input: pageQueryFromZeroBySize.extend(tokenMatch.shape),
    output: z.array(tokenEntity),
    summary: 'List my tokens, by name, part of the key and status',
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/token/search',
    access: 'user',
    shape: 'list',
    input: tokenMatch.pick({ keyword: true, token: true }),
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
    input: newToken,
    /** One API and New API reply without data; the new token with its key is an addition. */
    output: tokenEntity,
    summary: 'Create a token',
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/token/',
    access: 'user',
    query: ['status_only'],
    input: tokenEdits.extend({
      id,
      status: z.number().int().optional(),
      status_only: queryBoolean.optional(),
    }),
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
    input: newToken.extend({ count: z.number().int().min(1).max(mostTokensAtOnce) }),
    output: z.array(tokenEntity),
    summary:
      'Create several tokens with the same settings; all names but the first get a random suffix',
  }),
  setStatusMany: endpoint({
    method: 'POST',
    path: '/api/turnpike/token/batch/status',
    access: 'user',
    input: z.object({ ids, status: z.number().int() }),
    output: z.number().int(),
    summary: 'Enable or disable several of my tokens, all or none',
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
