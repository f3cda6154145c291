/** One change of many users: of those that are picked, or of all that the filters select. */
import type { UserEntity } from '../../../core/contract/entities.ts';
import { toastFailure } from '../../client/failures.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useGroupNames } from '../../queries/use-groups.ts';
import { useRefreshUsers } from '../../queries/use-invalidate.ts';
import { matchOf, type useUsers } from './use-users.ts';

export function useUserBulk(list: ReturnType<typeof useUsers>['list']) {
  const { t } = useTranslation();
  const refresh = useRefreshUsers();
  const groups = useGroupNames();
  const { total, quotaPerUnit } = useMoney();
  const open = async (rows: readonly UserEntity[] | null) => {
    const [{ openBulk }, { loadTextPart }, { userSubject }] = await Promise.all([
      import('../../list/bulk-dialog.tsx'),
      import('../../i18n/index.ts'),
      import('./user-bulk.ts'),
    ]);
    await loadTextPart('bulk');
    await openBulk(
      userSubject({
        groups,
        refresh,
        moneyText: (quota) => total(quota).text,
        title: t('user.bulk.title', { count: rows?.length ?? list.total ?? 0 }),
        deleteTitle: t('user.bulk.title.delete', { count: rows?.length ?? list.total ?? 0 }),
        onDone: () => list.select([]),
      }),
      rows === null
        ? { match: matchOf(list.state, quotaPerUnit) }
        : { ids: rows.map(({ id }) => id) },
    );
  };
  return {
    label: t('user.bulk.change'),
    all: (n: string) => t('user.bulk.all', { n }),
    allSelected: (n: string) => t('user.bulk.allSelected', { n }),
    total: list.total,
    onOpen: (rows: readonly UserEntity[] | null) => void open(rows).catch(toastFailure),
  };
}
