/** Budgets, and conversations by their cost: administrators see all, users those that are about them (docs/rules/console.md#budget-screen). */

import { Button } from '@mantine/core';
import { type ReactNode, Suspense, useState } from 'react';
import { Link } from 'react-router';
import type { BudgetEntity, BudgetStatus } from '../../../core/contract/budgets.ts';
import { budgetFilters } from '../../../core/entities/budget-filters.ts';
import { budgetOwners, budgetStates } from '../../../core/vocabulary/budgets.ts';
import { storageKeys } from '../../browser/local-storage.ts';
import { client } from '../../client/api.ts';
import { latePart } from '../../client/late-part.ts';
import { useIsAdmin } from '../../client/session.ts';
import { useBudgetWords } from '../../components/budgets/budget-words.ts';
import { useUrlParameter } from '../../hooks/use-url-state.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useFilterBar } from '../../list/declared-filters.ts';
import { ListScreen } from '../../list/list-screen.tsx';
import { useDraft } from '../../list/use-draft.ts';
import { useOwnModels } from '../../queries/use-groups.ts';
import { useRefreshBudgets } from '../../queries/use-invalidate.ts';
import { useBudgetActions, useMayChange } from './budget-actions.tsx';
import { useBudgetColumns } from './budget-columns.tsx';
import { SiteRateNote } from './site-rate-note.tsx';
import { useBudgetList } from './use-budget-list.ts';
import { useGranted } from './use-granted.ts';

// The list comes first; these load when somebody opens one.
const BudgetDrawer = latePart(async () => ({
  default: (await import('./budget-drawer.tsx')).BudgetDrawer,
}));
const WindowsDialog = latePart(async () => ({
  default: (await import('./windows-dialog.tsx')).WindowsDialog,
}));

const Conversations = latePart(async () => ({
  default: (await import('./conversations.tsx')).Conversations,
}));

const loadBudget = (id: number) => client.budgets.get({ id });
const useModelOptions = () => useOwnModels().map((name) => ({ value: name, label: name }));

export function BudgetScreen() {
  const { t } = useTranslation();
  const [view] = useUrlParameter('view');
  const isOfConversations = view === 'conversations';
  const switcher = (
    <Button
      component={Link}
      to={isOfConversations ? '/budget' : '/budget?view=conversations'}
      variant="default"
    >
      {t(isOfConversations ? 'budget.title' : 'budget.conversations')}
    </Button>
  );
  return isOfConversations ? (
    <Suspense fallback={null}>
      <Conversations switcher={switcher} />
    </Suspense>
  ) : (
    <Budgets switcher={switcher} />
  );
}

function Budgets({ switcher }: { readonly switcher: ReactNode }) {
  const { t } = useTranslation();
  const words = useBudgetWords();
  const isAdmin = useIsAdmin();
  const mayChange = useMayChange();
  const budgets = useBudgetList();
  const refresh = useRefreshBudgets();
  const { draft, create, edit, close } = useDraft<BudgetEntity>('budget', loadBudget);
  const [viewed, setViewed] = useState<BudgetStatus>();
  // The link of a notice (docs/rules/budgets.md#warnings).
  const [grant, writeGrant] = useUrlParameter('grant');
  const granted = useGranted(grant);
  const columns = useBudgetColumns();
  const rowActions = useBudgetActions({ onEdit: edit, onWindows: setViewed });
  const filters = useFilterBar(budgetFilters, undefined, {
    keyword: { kind: 'search', width: 240 },
    state: {
      always: true,
      options: budgetStates.map((value) => ({ value, label: t(`budget.state.${value}`) })),
    },
    owner: {
      options: budgetOwners.map((value) => ({ value, label: t(`budget.owner.${value}`) })),
    },
    of: { hint: t('budget.filter.of.hint') },
    model: { hint: t('budget.filter.model.hint'), useOptions: useModelOptions },
  });
  return (
    <ListScreen
      list={budgets}
      title={t('budget.title')}
      subtitle={t(isAdmin ? 'budget.subtitle' : 'budget.subtitle.own')}
      actions={switcher}
      create={{ label: t('budget.new'), onCreate: create }}
      note={<SiteRateNote />}
      filters={filters}
      onRefresh={refresh}
      nameOf={(budget) => budget.name || words.amount(budget)}
      columns={columns}
      columnsKey={storageKeys.budgetColumns}
      rowState={({ enabled }) => (enabled ? undefined : 'dimmed')}
      rowActions={rowActions}
      onOpen={(budget) => (mayChange(budget) ? edit(budget) : setViewed(budget))}
      texts={{ failed: t('budget.failed'), noMatch: t('budget.noMatch') }}
      empty={{ title: t('budget.empty.title'), text: t('budget.empty.text') }}
    >
      <Suspense fallback={null}>
        {draft !== undefined && (
          <BudgetDrawer key={draft?.id ?? 'new'} budget={draft} onClose={close} />
        )}
        {viewed !== undefined && (
          <WindowsDialog budget={viewed} onClose={() => setViewed(undefined)} />
        )}
        {granted !== undefined && (
          <WindowsDialog
            budget={granted}
            window={Number(grant)}
            onClose={() => writeGrant('', { replace: true })}
          />
        )}
      </Suspense>
    </ListScreen>
  );
}
