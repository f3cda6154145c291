/** Budgets, and conversations by their cost: administrators see all, users those that are about them (docs/rules/console.md#budget-screen). */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { Link } from 'react-router';
import type { BudgetEntity, BudgetStatus } from '../../../core/contract/budgets.ts';
import { budgetFilters } from '../../../core/entities/budget-filters.ts';
import { budgetOwners, budgetStates } from '../../../core/vocabulary/budgets.ts';
import { storageKeys } from '../../browser/local-storage.ts';
import { client } from '../../client/api.ts';
import { latePart } from '../../client/late-part.ts';
import { useIsAdmin, useIsRoot } from '../../client/session.ts';
import { useBudgetWords } from '../../components/budgets/budget-words.ts';
import classes from '../../components/budgets/budgets.module.css';
import { useUrlParameter } from '../../hooks/use-url-state.ts';
import { useTranslation } from '../../i18n/index.ts';
import { filterQuery, filterUrl, useFilterBar } from '../../list/declared-filters.ts';
import { ListScreen } from '../../list/list-screen.tsx';
import { useDraft } from '../../list/use-draft.ts';
import { useList } from '../../list/use-list.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import { useBudgetsAbout } from '../../queries/use-budgets.ts';
import { useOwnModels } from '../../queries/use-groups.ts';
import { useRefreshBudgets } from '../../queries/use-invalidate.ts';
import { useBudgetActions, useMayChange } from './budget-actions.tsx';
import { useBudgetColumns } from './budget-columns.tsx';

/** The rate that the site's options give each user, beside the budgets. */
function SiteRateNote() {
  const { t } = useTranslation();
  const isRoot = useIsRoot();
  const { data } = useQuery({
    queryKey: queryKeys.budget.siteRate,
    queryFn: () => client.budgets.siteRate(),
    staleTime: 60_000,
    meta: { quiet: true },
  });
  if (data === null || data === undefined) return null;
  const { minutes, requests, successes } = data;
  return (
    <p className={classes.note}>
      {requests > 0
        ? t('budget.site', { minutes, requests, successes })
        : t('budget.site.successes', { minutes, successes })}{' '}
      {isRoot && <Link to="/setting?tab=ratelimit">{t('budget.site.change')}</Link>}
    </p>
  );
}

/**
 * The budget with the window that a notice's link names (docs/rules/budgets.md#warnings);
 * undefined: the address names none, or it is gone.
 */
function useGranted(windowId: string): BudgetStatus | undefined {
  const id = /^[1-9]\d{0,15}$/.test(windowId) ? Number(windowId) : undefined;
  return useBudgetsAbout('window', id === undefined ? [] : [id]).find(({ windows }) =>
    windows.some((window) => window.id === id),
  );
}

const url = filterUrl(budgetFilters);
const asTheyAre = (budgets: readonly BudgetStatus[]) => budgets;
const keyOf = (budget: BudgetStatus) => budget.id;

/** The budgets that the signed-in user may see, of which most is spent first. */
function useBudgetList() {
  return useList({
    queryKey: queryKeys.budget.list,
    url,
    keyOf,
    toRows: asTheyAre,
    fetchPage: ({ state, page, pageSize }) =>
      client.budgets.status({
        p: page,
        page_size: pageSize,
        sort: 'used',
        ...filterQuery(budgetFilters, state, undefined, 'admins'),
      }),
  });
}

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
