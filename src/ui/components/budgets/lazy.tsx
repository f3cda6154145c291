/** What other screens show of budgets, loaded with its words once there is something to show. */
import { lazy } from 'react';
import { loadTextPart } from '../../i18n/index.ts';

export const BudgetSection = lazy(async () => {
  await loadTextPart('budget');
  return { default: (await import('./budget-section.tsx')).BudgetSection };
});
export const BudgetCell = lazy(async () => {
  await loadTextPart('budget');
  return { default: (await import('./budget-section.tsx')).BudgetCell };
});
