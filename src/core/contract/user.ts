import { payerLimits } from '../entities/payer.ts';
import { userFields } from '../entities/user.ts';
import { userFilters } from '../entities/user-filters.ts';
import { z } from '../kernel/zod.ts';
import {
  byId,
  endpoint,
  id,
  nothing,
  pageOf,
  pageQuery,
  queryBoolean,
  quotaField,
} from './endpoint.ts';
import { groupMap, userEntity } from './entities.ts';
import { entityEditSchema, entityRules, newEntitySchema } from './entity-schema.ts';
import { filterSchema } from './filter-schema.ts';

export const newUser = newEntitySchema(userFields);
export const userEdits = entityEditSchema(userFields);
/** The limits that forms of administrators check. */
export const newUserRules = entityRules(userFields);
export const userEditRules = entityRules(userFields, 'edit');
/** What users change of their own account. */
export const profileEdits = entityEditSchema(userFields, 'own');

/** A user's own account (docs/rules/accounts.md#own-account). */
export const selfApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/user/self',
    access: 'user',
    input: nothing,
    output: userEntity,
    summary: 'My account',
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/user/self',
    access: 'user',
    waysIn: ['password'],
    input: profileEdits.extend({ original_password: z.string().optional() }),
    output: z.undefined(),
    summary: 'Change my profile or password',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/user/self',
    access: 'user',
    waysIn: ['account'],
    input: nothing,
    output: z.undefined(),
    summary: 'Delete my account',
  }),
  systemToken: endpoint({
    method: 'GET',
    path: '/api/user/token',
    access: 'user',
    waysIn: ['system_token'],
    changes: true,
    input: nothing,
    output: z.string(),
    summary: 'Create a new system access token; the previous one is revoked',
  }),
  models: endpoint({
    method: 'GET',
    path: '/api/user/models',
    access: 'user',
    input: nothing,
    output: z.array(z.string()),
    summary: 'Models I may use',
  }),
  groups: endpoint({
    method: 'GET',
    path: '/api/user/self/groups',
    access: 'user',
    input: nothing,
    output: groupMap,
    summary: 'Groups I may use, with ratio and description',
  }),
  availableModels: endpoint({
    method: 'GET',
    path: '/api/user/available_models',
    access: 'user',
    input: nothing,
    output: z.array(z.string()),
    summary: 'Models I may use (older path)',
  }),
  inviteCode: endpoint({
    method: 'GET',
    path: '/api/user/aff',
    access: 'user',
    input: nothing,
    output: z.string(),
    summary: 'My invite code, generated on first use',
  }),
  transferInviteQuota: endpoint({
    method: 'POST',
    path: '/api/user/aff_transfer',
    access: 'user',
    input: z.object({ quota: quotaField }),
    output: z.undefined(),
    summary: 'Move invite earnings to my balance',
  }),
  updateSetting: endpoint({
    method: 'PUT',
    path: '/api/user/setting',
    access: 'user',
    input: z.object({
      notify_type: z.string().optional(),
      /** Quota. */
      quota_warning_threshold: z.number().positive().optional(),
      webhook_url: z.string().optional(),
      /** Empty keeps the stored one, `-` clears it. */
      webhook_secret: z.string().max(255).optional(),
      notification_email: z.union([z.literal(''), z.email()]).optional(),
      accept_unset_model_ratio_model: z.boolean().optional(),
      /** Whether conversations of the playground are kept on the server; false deletes them. */
      playground_history: z.boolean().optional(),
      /** Whom receipts are made out to: one line, lines of an address, a number. */
      payer_name: z.string().trim().max(payerLimits.payer_name).optional(),
      payer_address: z.string().trim().max(payerLimits.payer_address).optional(),
      payer_tax_number: z.string().trim().max(payerLimits.payer_tax_number).optional(),
    }),
    output: z.undefined(),
    summary:
      'Change my notification, price, receipt and playground settings; absent ones stay as they are',
  }),
  visitorGroups: endpoint({
    method: 'GET',
    path: '/api/user/groups',
    access: 'visitor',
    input: nothing,
    output: groupMap,
    summary: 'Groups available to all users',
  }),
};

/** Which users a list shows. */
export const userMatch = filterSchema(userFilters, 'admins');
/** Of equal ones the newest first. */
const userOrder = z.object({
  sort: z.enum(['id', 'name', 'role', 'quota', 'used', 'requests', 'seen']).default('id'),
  ascending: queryBoolean.default(false),
});

/** Administration of users (docs/rules/accounts.md#user-administration). */
export const userApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/user/',
    access: 'admin',
    input: pageQuery,
    output: pageOf(userEntity),
    summary: 'List users',
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/user/search',
    access: 'admin',
    input: pageQuery.extend({ ...userMatch.shape, ...userOrder.shape }),
    output: pageOf(userEntity),
    summary: 'Search users by id, name, display name or e-mail',
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/turnpike/user/export',
    access: 'admin',
    shape: 'file',
    input: z.object({ ...userMatch.shape, ...userOrder.shape }),
    output: z.string(),
    summary: 'The users that match, as CSV',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/user/:id',
    access: 'admin',
    input: byId,
    output: userEntity,
    summary: 'One user',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/user/',
    access: 'admin',
    input: newUser,
    /** One API and New API reply without data; the new id is an addition. */
    output: z.object({ id: z.number().int() }),
    summary: 'Add a user',
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/user/',
    access: 'admin',
    waysIn: ['password'],
    /**
     * `quota_base`: the quota that the form had loaded. If present, the change is applied as a
     * difference.
     */
    input: userEdits.extend({ id, quota_base: quotaField.optional() }),
    output: z.undefined(),
    summary: 'Edit a user',
  }),
  grant: endpoint({
    method: 'POST',
    path: '/api/topup',
    access: 'admin',
    input: z.object({
      user_id: id,
      quota: quotaField.positive(),
      remark: z.string().max(255).optional(),
    }),
    output: z.undefined(),
    summary: 'Add quota to a user',
  }),
  manage: endpoint({
    method: 'POST',
    path: '/api/user/manage',
    access: 'admin',
    input: z.object({ id, action: z.enum(['promote', 'demote', 'disable', 'enable', 'delete']) }),
    output: z.object({ id: z.number().int(), role: z.number().int(), status: z.number().int() }),
    summary: 'Promote, demote, ban, unban or deactivate a user',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/user/:id',
    access: 'admin',
    input: byId,
    output: z.undefined(),
    summary: 'Delete a user',
  }),
};
