/**
 * Users, for administrators: list, drawer, and the change of a balance
 * (docs/rules/console.md#user-screen).
 */

import { Suspense, useState } from 'react';
import type { UserEntity } from '../../../core/contract/entities.ts';
import { userStatuses } from '../../../core/vocabulary/statuses.ts';
import { effectiveUserStatus } from '../../../core/vocabulary/user-state.ts';
import { storageKeys } from '../../browser/local-storage.ts';
import { client } from '../../client/api.ts';
import { latePart } from '../../client/late-part.ts';
import { useUser } from '../../client/session.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useTranslation } from '../../i18n/index.ts';
import { CsvButton } from '../../list/csv-button.tsx';
import { ListScreen } from '../../list/list-screen.tsx';
import { useDraft } from '../../list/use-draft.ts';
import { useBudgetsAbout } from '../../queries/use-budgets.ts';
import { useRefreshUsers } from '../../queries/use-invalidate.ts';
import { isAllowed } from './allowed.ts';
import { useUserBulk } from './use-user-bulk.ts';
import { useUserFilters } from './use-user-filters.ts';
import { matchOf, orderOf, useUsers } from './use-users.ts';
import { useUserActions } from './user-actions.tsx';
import { useUserColumns } from './user-columns.tsx';

// The list comes first; these load when somebody opens one.
const UserDrawer = latePart(async () => ({
  default: (await import('./user-drawer.tsx')).UserDrawer,
}));
const QuotaDialog = latePart(async () => ({
  default: (await import('./quota-dialog.tsx')).QuotaDialog,
}));

const loadUser = (id: number) => client.user.get({ id });

export function UserScreen() {
  const { t } = useTranslation();
  const actor = useUser();
  const { list: users, sorting } = useUsers();
  const { quotaPerUnit } = useMoney();
  const refresh = useRefreshUsers();
  const { draft, create, edit, close } = useDraft<UserEntity>('user', loadUser);
  const [adjusted, setAdjusted] = useState<UserEntity>();
  // As it is now: a change whose reply was lost may have been made.
  const inDialog = users.rows?.find(({ id }) => id === adjusted?.id) ?? adjusted;
  const ids = users.rows?.map(({ id }) => id);
  const columns = useUserColumns(useBudgetsAbout('user', ids));
  const rowActions = useUserActions({ onEdit: edit, onAdjust: setAdjusted });
  return (
    <ListScreen
      list={users}
      title={t('user.title')}
      subtitle={t('user.subtitle')}
      create={{ label: t('user.new'), onCreate: create }}
      actions={
        <CsvButton
          label={t('user.csv')}
          failed={t('user.csv.failed')}
          onExport={() =>
            client.user.export({ ...matchOf(users.state, quotaPerUnit), ...orderOf(users.state) })
          }
        />
      }
      filters={useUserFilters()}
      sorting={sorting}
      batch={{ label: t('user.bulk.label'), actions: [], bulk: useUserBulk(users) }}
      onRefresh={refresh}
      nameOf={(user) => user.username}
      columns={columns}
      columnsKey={storageKeys.userColumns}
      rowState={(user) =>
        effectiveUserStatus(user) === userStatuses.active ? undefined : 'dimmed'
      }
      rowActions={rowActions}
      onOpen={(user) => {
        if (isAllowed('update', actor, user)) edit(user);
      }}
      texts={{ failed: t('user.failed'), noMatch: t('user.noMatch') }}
      empty={{ title: t('user.empty.title'), text: t('user.empty.text') }}
    >
      <Suspense fallback={null}>
        {draft !== undefined && (
          <UserDrawer key={draft?.id ?? 'new'} user={draft} onClose={close} />
        )}
        {adjusted !== undefined && inDialog !== undefined && (
          <QuotaDialog key={inDialog.id} user={inDialog} onClose={() => setAdjusted(undefined)} />
        )}
      </Suspense>
    </ListScreen>
  );
}
