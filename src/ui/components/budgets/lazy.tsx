/** What other screens show of budgets, loaded with its words once there is something to show. */
import { latePart } from '../../client/late-part.ts';
import { loadTextPart } from '../../i18n/index.ts';

export const BudgetSection = latePart(async () => {
  await loadTextPart('budget');
  return { default: (await import('./budget-section.tsx')).BudgetSection };
});
export const BudgetCell = latePart(async () => {
  await loadTextPart('budget');
  return { default: (await import('./budget-section.tsx')).BudgetCell };
});
