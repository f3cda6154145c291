import type { BudgetStatus } from '../../../core/contract/budgets.ts';
import { useBudgetsAbout } from '../../queries/use-budgets.ts';

/**
 * The budget with the window that a notice's link names (docs/rules/budgets.md#warnings); undefined:
 * the address names none, or it is gone.
 */
export function useGranted(windowId: string): BudgetStatus | undefined {
  const id = /^[1-9]\d{0,15}$/.test(windowId) ? Number(windowId) : undefined;
  return useBudgetsAbout('window', id === undefined ? [] : [id]).find(({ windows }) =>
    windows.some((window) => window.id === id),
  );
}
