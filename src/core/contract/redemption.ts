import { redemptionFields } from '../entities/redemption.ts';
import { redemptionFilters } from '../entities/redemption-filters.ts';
import type { ErrorCode } from '../kernel/errors.ts';
import { z } from '../kernel/zod.ts';
import { byId, endpoint, id, nothing, pageOf, pageQuery, queryBoolean } from './endpoint.ts';
import { redemptionEntity } from './entities.ts';
import { entityEditSchema, entityRules, newEntitySchema } from './entity-schema.ts';
import { filterSchema } from './filter-schema.ts';

/** The most codes that the console creates at once. */
export const mostRedemptions = 100;
/** The most codes of one call of a batch. A batch of any size is several calls. */
export const mostRedemptionsPerCall = 1000;

const invalidCount = { error: 'code_count_invalid' satisfies ErrorCode };
/** What the form for new codes checks. */
export const newRedemptionRules = entityRules(redemptionFields, 'create').extend({
  count: z.int(invalidCount).min(1, invalidCount).max(mostRedemptions, invalidCount),
});
/** What the form for an existing code checks. */
export const redemptionEditRules = entityRules(redemptionFields, 'edit');

const newRedemptions = newEntitySchema(redemptionFields).extend({
  count: z.number().int().default(1),
});
const filters = filterSchema(redemptionFilters, 'admins');

export const redemptionApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/redemption/',
    access: 'admin',
    input: pageQuery.extend(filters.pick({ state: true }).shape),
    output: pageOf(redemptionEntity),
    summary: 'List redemption codes',
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/redemption/search',
    access: 'admin',
    input: pageQuery.extend(filters.shape),
    output: pageOf(redemptionEntity),
    summary: 'Search codes by id, start of the name or whole code',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/redemption/:id',
    access: 'admin',
    input: byId,
    output: redemptionEntity,
    summary: 'One code',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/redemption/',
    access: 'admin',
    input: newRedemptions,
    output: z.array(z.string()),
    summary: 'Create up to 100 codes',
  }),
  createBatch: endpoint({
    method: 'POST',
    path: '/api/turnpike/redemption/batch',
    access: 'admin',
    input: newRedemptions,
    output: z.object({ items: z.array(z.object({ id: z.number().int(), key: z.string() })) }),
    summary: 'Create up to 1,000 codes; returns their ids as well',
  }),
  removeInvalid: endpoint({
    method: 'DELETE',
    path: '/api/redemption/invalid',
    access: 'admin',
    input: nothing,
    output: z.number().int(),
    summary: 'Delete used, disabled and expired codes; returns how many',
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/redemption/',
    access: 'admin',
    query: ['status_only'],
    input: entityEditSchema(redemptionFields).extend({
      id,
      status: z.number().int().optional(),
      status_only: queryBoolean.optional(),
    }),
    output: redemptionEntity,
    summary: 'Edit a code, or with status_only enable or disable it',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/redemption/:id',
    access: 'admin',
    input: byId,
    output: z.undefined(),
    summary: 'Delete a code',
  }),
};

/** A user's wallet (docs/rules/payments.md#redeeming). */
export const walletApi = {
  redeem: endpoint({
    method: 'POST',
    path: '/api/user/topup',
    access: 'user',
    rate: 'critical',
    input: z.object({ key: z.string().default('') }),
    output: z.number().int(),
    summary: 'Redeem a code; returns the added quota',
  }),
};
