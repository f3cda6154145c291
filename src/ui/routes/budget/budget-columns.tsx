import type { BudgetStatus } from '../../../core/contract/budgets.ts';
import {
  type BudgetEnd,
  type BudgetState,
  budgetStateOf,
} from '../../../core/vocabulary/budgets.ts';
import { BudgetUse } from '../../components/budgets/budget-bar.tsx';
import { useBudgetWords } from '../../components/budgets/budget-words.ts';
import { StatusDot, type Tone } from '../../components/status-dot.tsx';
import { fullTime, minuteTime } from '../../hooks/use-time-text.ts';
import { useTranslation } from '../../i18n/index.ts';
import cells from '../../list/cells.module.css';
import type { ScreenColumn } from '../../list/columns.ts';

const tones: Readonly<Record<BudgetState, Tone>> = {
  passed: 'red',
  near: 'org',
  within: 'ok',
  unused: 'blu',
  off: 'off',
};

export function useBudgetColumns(): readonly ScreenColumn<BudgetStatus>[] {
  const { t } = useTranslation();
  const words = useBudgetWords();
  return [
    {
      key: 'name',
      fixed: true,
      label: t('budget.column.name'),
      render: (budget) => (
        <span className={cells.names}>
          <span className={cells.name} title={budget.name}>
            {budget.name || words.amount(budget)}
          </span>
          <span className={`${cells.second} tp-second-line`}>
            {budget.name === '' ? `#${budget.id}` : words.amount(budget)}
          </span>
        </span>
      ),
    },
    {
      key: 'use',
      label: t('budget.column.use'),
      width: 280,
      card: { place: 'figure' },
      render: (budget) => <BudgetUse budget={budget} />,
    },
    {
      key: 'owner',
      label: t('budget.column.owner'),
      card: { place: 'second' },
      render: (budget) => (
        <span className={cells.names}>
          <span className={cells.name} title={words.owner(budget)}>
            {words.owner(budget)}
          </span>
          <span className={`${cells.second} tp-second-line`}>
            {[words.each(budget), budget.tag].filter(Boolean).join(' · ')}
          </span>
        </span>
      ),
    },
    {
      key: 'state',
      label: t('budget.column.state'),
      card: { place: 'status' },
      render: (budget) => {
        const state = budgetStateOf(budget);
        return <StatusDot tone={tones[state]} label={t(`budget.state.${state}`)} />;
      },
    },
    {
      key: 'windows',
      label: t('budget.column.windows'),
      numeric: true,
      hidden: true,
      render: ({ windows }) => windows.length,
    },
    {
      key: 'end',
      label: t('budget.column.end'),
      render: ({ at_end }) => t(`budget.end.${at_end as BudgetEnd}`),
    },
    {
      key: 'models',
      label: t('budget.column.models'),
      render: ({ models }) =>
        models === '' ? (
          <span className={cells.dim}>{t('budget.models.all')}</span>
        ) : (
          <span className={cells.names} title={models.replaceAll(',', ', ')}>
            <span className={cells.name}>{models.replaceAll(',', ', ')}</span>
          </span>
        ),
    },
    {
      key: 'tag',
      label: t('budget.column.tag'),
      hidden: true,
      render: ({ tag }) =>
        tag === '' ? <span className={cells.dim}>{t('budget.models.all')}</span> : tag,
    },
    {
      key: 'created',
      label: t('budget.column.created'),
      hidden: true,
      render: ({ created_time }) => (
        <span className={cells.dim} title={fullTime(created_time)}>
          {minuteTime(created_time)}
        </span>
      ),
    },
  ];
}
