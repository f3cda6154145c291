/** What other screens show of budgets, loaded with its words once there is something to show. */
import { lazy } from 'react';
import { loadTextPart } from '../../i18n/index.ts';

const load = async () => {
  const [module] = await Promise.all([import('./budget-section.tsx'), loadTextPart('budget')]);
  return module;
};

export const BudgetSection = lazy(async () => ({ default: (await load()).BudgetSection }));
export const BudgetCell = lazy(async () => ({ default: (await load()).BudgetCell }));
