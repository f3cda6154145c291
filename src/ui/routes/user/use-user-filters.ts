import { userFilters } from '../../../core/entities/user-filters.ts';
import { roles } from '../../../core/vocabulary/roles.ts';
import { userStatuses } from '../../../core/vocabulary/statuses.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useTranslation } from '../../i18n/index.ts';
import { wordKey } from '../../i18n/words.ts';
import { useFilterBar } from '../../list/declared-filters.ts';
import { useGroupNames } from '../../queries/use-groups.ts';
import { unseenDays, usedUnits } from './use-users.ts';

const shownRoles = [roles.user, roles.admin, roles.root];
const shownStatuses = [userStatuses.active, userStatuses.banned];

export function useUserFilters() {
  const { t } = useTranslation();
  const groups = useGroupNames();
  const { total, quotaPerUnit } = useMoney();
  const filters = useFilterBar(userFilters, undefined, {
    keyword: { kind: 'search', width: 330 },
    group: { always: true, options: groups.map((name) => ({ value: name, label: name })) },
    role: {
      options: shownRoles.map((role) => ({
        value: String(role),
        label: t(wordKey('role', role)),
      })),
    },
    status: {
      options: shownStatuses.map((status) => ({
        value: String(status),
        label: t(wordKey('status.user', status)),
      })),
    },
    // Together they are the balance, and what was used.
    quotaFrom: false,
    quotaTo: false,
    usedFrom: false,
    usedTo: false,
    unseen: {
      options: unseenDays.map((days) => ({
        value: String(days),
        label: t('user.filter.unseen.days', { count: days }),
      })),
    },
  });
  const balance = {
    kind: 'menu',
    name: 'balance',
    label: t('user.filter.balance'),
    options: [
      { value: '', label: t('common.all') },
      { value: 'none', label: t('user.filter.balance.none') },
      { value: 'low', label: t('user.filter.balance.low', { amount: total(quotaPerUnit).text }) },
    ],
  } as const;
  const used = {
    kind: 'menu',
    name: 'used',
    label: t('user.column.used'),
    options: [
      { value: '', label: t('common.all') },
      { value: 'none', label: t('user.filter.used.none') },
      ...usedUnits.map((units) => ({
        value: String(units),
        label: t('user.filter.used.from', { amount: total(units * quotaPerUnit).text }),
      })),
    ],
  } as const;
  return [...filters.slice(0, -1), balance, used, ...filters.slice(-1)];
}
