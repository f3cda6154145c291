import { budgetFields } from '../entities/budget.ts';
import { budgetFilters } from '../entities/budget-filters.ts';
import { z } from '../kernel/zod.ts';
import { budgetSubjects } from '../vocabulary/budgets.ts';
import { byId, endpoint, id, nothing, pageOf, pageQuery, quotaField } from './endpoint.ts';
import { entityEditSchema, entitySchema, newEntitySchema } from './entity-schema.ts';
import { filterSchema } from './filter-schema.ts';

export const budgetEntity = entitySchema(budgetFields);
export type BudgetEntity = z.infer<typeof budgetEntity>;

const budgetWindow = z.object({
  id: z.number().int(),
  /**
   * What has the window for itself: an id, or the name of a conversation; of each token 0 or a
   * negative user's id for that user's playground; '': all together.
   */
  subject: z.string(),
  /** Of the token, or the user, that has the window for itself; '' where there is none. */
  name: z.string(),
  /** Unix seconds. `ends_at` 0: it does not end. */
  starts_at: z.number().int(),
  ends_at: z.number().int(),
  spent: quotaField,
  /** The budget's amount with what was carried over and added. */
  limit: quotaField,
  /** What may still be spent; 0 where the limit is passed. */
  left: quotaField,
});
export type BudgetWindow = z.infer<typeof budgetWindow>;

const ratesUsed = z.object({
  requests: z.number().int(),
  tokens: z.number().int(),
  parallel: z.number().int(),
});

const siteRate = z.object({
  minutes: z.number().int(),
  /** 0: no limit. */
  requests: z.number().int(),
  successes: z.number().int(),
});
export type SiteRate = z.infer<typeof siteRate>;

/** What was used of a part of a fence; `limit` 0: there is none. */
const fencePart = z.object({ used: z.number().int(), limit: z.number().int() });

const conversation = budgetWindow.extend({
  budget_id: z.number().int(),
  budget_name: z.string(),
  /** conversation or agent. */
  each: z.string(),
  at_end: z.string(),
  /** 0 and '': not known. */
  user_id: z.number().int(),
  username: z.string(),
  fence: z.object({
    requests: fencePart,
    minutes: fencePart,
    repeats: fencePart,
    /** Times the usual spending. */
    pace: fencePart,
  }),
  /** The part of money and fence that is nearest to its end, in per cent. */
  used_percent: z.number().int(),
});
export type BudgetConversation = z.infer<typeof conversation>;

const budgetStatus = budgetEntity.extend({
  /**
   * Requests and tokens of the last minute and what is under way; null: it has no rates, or each
   * has them apart.
   */
  rates_used: ratesUsed.nullable(),
  /** Of the token or user that it is for; '' for a group, and where it is gone. */
  owner_name: z.string(),
  windows: z.array(budgetWindow),
});
export type BudgetStatus = z.infer<typeof budgetStatus>;

/** `used`: the fullest first, for which the windows of all are read. */
const budgetOrder = z.object({ sort: z.enum(['id', 'used']).default('id') });

export const budgetsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/turnpike/budgets',
    access: 'user',
    input: nothing,
    output: z.array(budgetEntity),
    summary: 'Budgets: administrators see all, users those that are about them',
  }),
  status: endpoint({
    method: 'GET',
    path: '/api/turnpike/budgets/status',
    access: 'user',
    input: pageQuery.extend(filterSchema(budgetFilters, 'admins').shape).extend(budgetOrder.shape),
    output: pageOf(budgetStatus),
    summary:
      'The same in pages, with filters and with their open windows: what was spent of what, until when',
  }),
  about: endpoint({
    method: 'GET',
    path: '/api/turnpike/budgets/about',
    access: 'user',
    input: z.object({
      kind: z.enum(budgetSubjects),
      /** At most a hundred, comma-separated. */
      ids: z
        .string()
        .regex(/^([1-9]\d{0,15}(,[1-9]\d{0,15}){0,99})?$/)
        .default(''),
    }),
    output: z.array(budgetStatus),
    summary:
      'Budgets about some tokens or users, or of some windows, with these windows; or those for each conversation or agent, at most a hundred, without windows',
  }),
  ending: endpoint({
    method: 'GET',
    path: '/api/turnpike/budgets/ending',
    access: 'user',
    input: nothing,
    output: z.array(budgetStatus),
    summary: 'The five fullest budgets that are spent, near their end or expected to be used up',
  }),
  conversations: endpoint({
    method: 'GET',
    path: '/api/turnpike/budgets/conversations',
    access: 'user',
    input: pageQuery.extend({
      user_id: id.optional(),
      budget: id.optional(),
      window: id.optional(),
    }),
    output: pageOf(conversation),
    summary:
      'Conversations and agents under a budget for each, those that cost most first: users see theirs',
  }),
  siteRate: endpoint({
    method: 'GET',
    path: '/api/turnpike/budgets/site-rate',
    access: 'user',
    input: nothing,
    output: siteRate.nullable(),
    summary: 'What each user may request by the options ModelRequestRateLimit*; null: they are off',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/turnpike/budgets/:id',
    access: 'user',
    input: byId,
    output: budgetEntity,
    summary: 'One budget',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/turnpike/budgets',
    access: 'user',
    input: newEntitySchema(budgetFields),
    output: budgetEntity,
    summary: 'Create a budget: users for themselves and their tokens',
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/turnpike/budgets/:id',
    access: 'user',
    input: entityEditSchema(budgetFields).extend({ id }),
    output: budgetEntity,
    summary: 'Edit a budget: users those that they made',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/turnpike/budgets/:id',
    access: 'user',
    input: byId,
    output: z.undefined(),
    summary: 'Delete a budget with its windows',
  }),
  grant: endpoint({
    method: 'POST',
    path: '/api/turnpike/budgets/:id/grant',
    access: 'user',
    input: byId.extend({ window: id, amount: z.number().int() }),
    output: z.undefined(),
    summary: 'Add quota to what may be spent in one open window',
  }),
};
