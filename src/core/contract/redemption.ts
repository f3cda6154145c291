import { z } from 'zod';
import { redemptionFields } from '../entities/redemption.ts';
import { byId, endpoint, id, pageOf, pageQuery, queryBoolean } from './endpoint.ts';
import { redemptionEntity } from './entities.ts';
import { entityEditSchema, newEntitySchema } from './entity-schema.ts';

export const redemptionApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/redemption/',
    access: 'admin',
    input: pageQuery,
    output: pageOf(redemptionEntity),
    summary: 'List redemption codes',
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/redemption/search',
    access: 'admin',
    input: pageQuery.extend({ keyword: z.string().default('') }),
    output: pageOf(redemptionEntity),
    summary: 'Search codes by id or name',
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
    input: newEntitySchema(redemptionFields).extend({ count: z.number().int().default(1) }),
    output: z.array(z.string()),
    summary: 'Create codes',
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
