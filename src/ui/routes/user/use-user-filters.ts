import { roles } from '../../../core/vocabulary/roles.ts';
import { userStatuses } from '../../../core/vocabulary/statuses.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useTranslation } from '../../i18n/index.ts';
import { wordKey } from '../../i18n/words.ts';
import type { ListFilter } from '../../list/filters.ts';
import { useGroupNames } from '../../queries/use-groups.ts';
import { unseenDays } from './use-users.ts';

const shownRoles = [roles.user, roles.admin, roles.root];
const shownStatuses = [userStatuses.active, userStatuses.banned];

export function useUserFilters(): readonly ListFilter<
  'q' | 'group' | 'role' | 'status' | 'balance' | 'unseen'
>[] {
  const { t } = useTranslation();
  const groups = useGroupNames();
  const { total, quotaPerUnit } = useMoney();
  const all = { value: '', label: t('common.all') };
  return [
    {
      kind: 'search',
      name: 'q',
      label: t('user.search'),
      placeholder: t('user.search'),
      width: 330,
    },
    {
      kind: 'menu',
      name: 'group',
      label: t('user.column.group'),
      always: true,
      options: [all, ...groups.map((name) => ({ value: name, label: name }))],
    },
    {
      kind: 'menu',
      name: 'role',
      label: t('user.column.role'),
      options: [
        all,
        ...shownRoles.map((role) => ({ value: String(role), label: t(wordKey('role', role)) })),
      ],
    },
    {
      kind: 'menu',
      name: 'status',
      label: t('user.column.status'),
      options: [
        all,
        ...shownStatuses.map((status) => ({
          value: String(status),
          label: t(wordKey('status.user', status)),
        })),
      ],
    },
    {
      kind: 'menu',
      name: 'balance',
      label: t('user.filter.balance'),
      options: [
        all,
        { value: 'none', label: t('user.filter.balance.none') },
        {
          value: 'low',
          label: t('user.filter.balance.low', { amount: total(quotaPerUnit).text }),
        },
      ],
    },
    {
      kind: 'menu',
      name: 'unseen',
      label: t('user.filter.unseen'),
      options: [
        all,
        ...unseenDays.map((days) => ({
          value: String(days),
          label: t('user.filter.unseen.days', { count: days }),
        })),
      ],
    },
  ];
}
