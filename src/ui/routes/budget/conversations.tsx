/** Conversations and agents under a budget for each, by their cost (docs/rules/budgets.md#fences). */
import { Coins } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { BudgetConversation } from '../../../core/contract/budgets.ts';
import { formatCount } from '../../../core/pricing/format.ts';
import { nearShare } from '../../../core/vocabulary/budgets.ts';
import { storageKeys } from '../../browser/local-storage.ts';
import { client } from '../../client/api.ts';
import { useIsAdmin } from '../../client/session.ts';
import { BudgetBar } from '../../components/budgets/budget-bar.tsx';
import { StatusDot } from '../../components/status-dot.tsx';
import { fullTime, minuteTime } from '../../hooks/use-time-text.ts';
import { useTranslation } from '../../i18n/index.ts';
import cells from '../../list/cells.module.css';
import type { ScreenColumn } from '../../list/columns.ts';
import { ListScreen } from '../../list/list-screen.tsx';
import { useList } from '../../list/use-list.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import { useBudgets } from '../../queries/use-budgets.ts';
import { useRefreshBudgets } from '../../queries/use-invalidate.ts';
import { useMayChange } from './budget-actions.tsx';
import { WindowsDialog } from './windows-dialog.tsx';

const url = { user: '', budget: '' } as const;
const queryKey = [...queryKeys.budget.all, 'conversations'];
const asTheyAre = (rows: readonly BudgetConversation[]) => rows;
const keyOf = ({ id }: BudgetConversation) => id;
const parts = ['requests', 'minutes', 'repeats', 'pace'] as const;
const idOf = (text: string) => (/^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined);

function useConversationColumns(): readonly ScreenColumn<BudgetConversation>[] {
  const { t } = useTranslation();
  return [
    {
      key: 'conversation',
      fixed: true,
      label: t('budget.conversation'),
      render: ({ subject, username, user_id, each }) => (
        <span className={cells.names}>
          <span className={cells.name} title={subject}>
            {subject}
          </span>
          <span className={`${cells.second} tp-second-line`}>
            {[
              t(each === 'agent' ? 'budget.conversation.agent' : 'budget.conversation'),
              username || (user_id === 0 ? '' : `#${user_id}`),
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </span>
      ),
    },
    {
      key: 'cost',
      label: t('budget.conversation.cost'),
      width: 280,
      card: { place: 'figure' },
      render: (window) => <BudgetBar window={window} />,
    },
    {
      key: 'fence',
      label: t('budget.conversation.fence'),
      width: 240,
      card: { place: 'second' },
      render: ({ fence }) => {
        const limited = parts.filter((part) => fence[part].limit > 0);
        if (limited.length === 0)
          return <span className={cells.dim}>{t('budget.conversation.money')}</span>;
        return limited
          .map((part) => {
            const { used, limit } = fence[part];
            const figure = `${formatCount(used)} / ${formatCount(limit)}`;
            return t(`budget.conversation.${part}`, { figure });
          })
          .join(t('budget.rate.joint'));
      },
    },
    {
      key: 'state',
      label: t('budget.column.state'),
      card: { place: 'status' },
      render: ({ used_percent: used, at_end }) => {
        const state = used >= 100 ? 'passed' : used >= nearShare * 100 ? 'near' : 'within';
        const tone = { passed: 'red', near: 'org', within: 'ok' } as const;
        const stopped = state === 'passed' && at_end === 'refuse';
        return (
          <StatusDot
            tone={tone[state]}
            label={t(stopped ? 'budget.conversation.stopped' : `budget.state.${state}`)}
          />
        );
      },
    },
    {
      key: 'budget',
      label: t('budget.column.name'),
      render: ({ budget_id, budget_name }) => budget_name || `#${budget_id}`,
    },
    {
      key: 'begun',
      label: t('budget.conversation.begun'),
      render: ({ starts_at }) => (
        <span className={cells.dim} title={fullTime(starts_at)}>
          {minuteTime(starts_at)}
        </span>
      ),
    },
  ];
}

/** `switcher`: the way back to the budgets. */
export function Conversations({ switcher }: { readonly switcher: ReactNode }) {
  const { t } = useTranslation();
  const isAdmin = useIsAdmin();
  const refresh = useRefreshBudgets();
  const mayChange = useMayChange();
  const budgets = useBudgets();
  const columns = useConversationColumns();
  const [viewed, setViewed] = useState<BudgetConversation>();
  const budgetOf = ({ budget_id }: BudgetConversation) =>
    budgets.find(({ id }) => id === budget_id);
  const viewedBudget = viewed && budgetOf(viewed);
  const list = useList({
    queryKey,
    url,
    keyOf,
    toRows: asTheyAre,
    fetchPage: ({ state, page, pageSize }) =>
      client.budgets.conversations({
        p: page,
        page_size: pageSize,
        user_id: idOf(state.user),
        budget: idOf(state.budget),
      }),
  });
  const budgetOptions = budgets
    .filter(({ each }) => each === 'conversation' || each === 'agent')
    .map(({ id, name }) => ({ value: String(id), label: name || `#${id}` }));
  return (
    <ListScreen
      list={list}
      title={t('budget.conversations')}
      subtitle={t('budget.conversations.subtitle')}
      actions={switcher}
      filters={[
        {
          kind: 'menu',
          name: 'budget',
          label: t('budget.column.name'),
          always: true,
          options: [{ value: '', label: t('common.all') }, ...budgetOptions],
        },
        ...(isAdmin
          ? [
              {
                kind: 'text' as const,
                name: 'user' as const,
                label: t('budget.conversations.user'),
                hint: t('budget.conversations.user.hint'),
              },
            ]
          : []),
      ]}
      onRefresh={refresh}
      nameOf={({ subject }) => subject}
      columns={columns}
      columnsKey={storageKeys.conversationColumns}
      rowActions={[
        {
          key: 'grant',
          label: t('budget.conversation.grant'),
          icon: Coins,
          prominent: true,
          when: (row) => {
            const budget = budgetOf(row);
            return budget !== undefined && mayChange(budget);
          },
          onAct: setViewed,
        },
      ]}
      onOpen={setViewed}
      texts={{ failed: t('budget.conversations.failed'), noMatch: t('budget.conversations.none') }}
      empty={{
        title: t('budget.conversations.empty.title'),
        text: t('budget.conversations.empty.text'),
      }}
    >
      {viewed !== undefined && viewedBudget !== undefined && (
        <WindowsDialog
          budget={{ ...viewedBudget, windows: [viewed] }}
          window={viewed.id}
          onClose={() => setViewed(undefined)}
        />
      )}
    </ListScreen>
  );
}
