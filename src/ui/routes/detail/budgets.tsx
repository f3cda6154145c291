import { Suspense } from 'react';
import { latePart } from '../../client/late-part.ts';
import { loadTextPart } from '../../i18n/index.ts';
import { useEndingBudgets } from '../../queries/use-budgets.ts';
import layout from './detail.module.css';

// Only who has some loads it, with its words.
const EndingBudgets = latePart(async () => {
  await loadTextPart('budget');
  const { EndingBudgets } = await import('../../components/budgets/ending-budgets.tsx');
  return { default: EndingBudgets };
});

/** What ends soon (docs/rules/budgets.md#forecast); nothing where nothing does. */
export function Budgets() {
  const ending = useEndingBudgets();
  if (ending.length === 0) return null;
  return (
    <div className={layout.full}>
      <Suspense fallback={null}>
        <EndingBudgets budgets={ending} />
      </Suspense>
    </div>
  );
}
