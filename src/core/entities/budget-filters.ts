import { budgetOwners, budgetStates } from '../vocabulary/budgets.ts';
import { defineFilters } from './filters.ts';

/** The filters of the budgets that somebody may see (docs/rules/budgets.md#list). */
export const budgetFilters = defineFilters({
  keyword: {
    kind: 'text',
    match: 'part',
    wire: 'keyword',
    url: 'q',
    trim: true,
    own: true,
    label: { en: 'name, owner or ID', zh: '名称、对象或编号' },
    help: { en: 'Part of its name or of its owner, or #id', zh: '名称或对象包含，或 #编号' },
  },
  /** How much is spent, by the fullest of its open windows. */
  state: {
    kind: 'text',
    wire: 'state',
    choices: budgetStates,
    only: true,
    own: true,
    label: { en: 'status', zh: '状态' },
  },
  owner: {
    kind: 'text',
    wire: 'owner',
    choices: budgetOwners,
    only: true,
    label: { en: 'kind of owner', zh: '对象类型' },
  },
  of: {
    kind: 'text',
    wire: 'owner_id',
    trim: true,
    label: { en: 'owner id', zh: '对象编号' },
  },
  model: {
    kind: 'text',
    wire: 'model',
    trim: true,
    own: true,
    label: { en: 'model', zh: '模型' },
    help: { en: 'Budgets that count this model', zh: '计入该模型的预算' },
  },
});
