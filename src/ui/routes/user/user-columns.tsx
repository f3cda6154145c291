import type { BudgetStatus } from '../../../core/contract/budgets.ts';
import type { UserEntity } from '../../../core/contract/entities.ts';
import { formatCount } from '../../../core/pricing/format.ts';
import { userStatuses } from '../../../core/vocabulary/statuses.ts';
import { effectiveUserStatus } from '../../../core/vocabulary/user-state.ts';
import { OwnerBudget } from '../../components/budgets/owner-budget.tsx';
import { TotalText } from '../../components/money-text.tsx';
import { QuotaBar } from '../../components/quota-bar.tsx';
import { colourOf } from '../../components/status-colours.ts';
import { StatusDot } from '../../components/status-dot.tsx';
import { NameTags, ValueTag } from '../../components/tag.tsx';
import { useMoney } from '../../hooks/use-money.ts';
import { fullTime, minuteTime } from '../../hooks/use-time-text.ts';
import { useTranslation } from '../../i18n/index.ts';
import { wordKey } from '../../i18n/words.ts';
import cells from '../../list/cells.module.css';
import type { ScreenColumn } from '../../list/columns.ts';
import classes from './user.module.css';

function UserStatus({ user }: { user: UserEntity }) {
  const { t } = useTranslation();
  const status = effectiveUserStatus(user);
  return (
    <StatusDot tone={colourOf('status.user', status)} label={t(wordKey('status.user', status))} />
  );
}

function UserRole({ role }: { role: number }) {
  const { t } = useTranslation();
  return <ValueTag tone={colourOf('role', role, 'bad')}>{t(wordKey('role', role))}</ValueTag>;
}

/** `short`: only the balance. */
function UserQuota({ user, short = false }: { user: UserEntity; short?: boolean }) {
  const { t } = useTranslation();
  const money = useMoney();
  const used = money.total(user.used_quota).text;
  return (
    <QuotaBar
      left={user.quota}
      used={user.used_quota}
      detail={short ? undefined : t('user.quota.used', { amount: used })}
      label={t('user.quota.bar', { left: money.total(user.quota).text, used })}
      off={effectiveUserStatus(user) !== userStatuses.active}
    />
  );
}

/** Whether somebody was invited, or something was earned by it. */
const hasInvited = ({ aff_count, aff_history_quota }: UserEntity) =>
  aff_count > 0 || aff_history_quota !== 0;

/** Nothing but a dash where there is nothing: so it is in most rows. */
function UserInvites({ user }: { user: UserEntity }) {
  const { t } = useTranslation();
  const money = useMoney();
  if (!hasInvited(user) && user.inviter_id === 0) return <span className={cells.dim}>–</span>;
  return (
    <span className={cells.names}>
      {hasInvited(user) && (
        <span>
          {t('user.invited', {
            count: user.aff_count,
            amount: money.total(user.aff_history_quota).text,
          })}
        </span>
      )}
      {user.inviter_id !== 0 && (
        <span className={cells.second}>{t('user.inviter', { id: user.inviter_id })}</span>
      )}
    </span>
  );
}

function Seen({ at }: { at: number }) {
  const { t } = useTranslation();
  return at === 0 ? (
    <span className={cells.dim}>{t('user.seen.never')}</span>
  ) : (
    <span className={cells.dim} data-moment title={fullTime(at)}>
      {minuteTime(at)}
    </span>
  );
}

/** `budgets`: those about the rows. */
export function useUserColumns(
  budgets: readonly BudgetStatus[],
): readonly ScreenColumn<UserEntity>[] {
  const { t } = useTranslation();
  return [
    {
      key: 'name',
      fixed: true,
      label: t('user.column.name'),
      render: ({ id, username, display_name }) => (
        <span className={cells.names}>
          <span className={cells.name} title={username}>
            {username}
          </span>
          <span className={`${cells.second} tp-second-line`} title={display_name}>
            #{id}
            {display_name !== '' && display_name !== username && ` · ${display_name}`}
          </span>
        </span>
      ),
    },
    {
      key: 'role',
      sortable: true,
      label: t('user.column.role'),
      card: {
        place: 'second',
        render: ({ id, role }) => (
          <>
            <span className={classes.cardLine}>
              #{id} <UserRole role={role} />
            </span>
            <OwnerBudget kind="user" id={id} budgets={budgets} />
          </>
        ),
      },
      render: ({ role }) => <UserRole role={role} />,
    },
    {
      key: 'status',
      label: t('user.column.status'),
      card: { place: 'status' },
      render: (user) => <UserStatus user={user} />,
    },
    {
      key: 'group',
      label: t('user.column.group'),
      card: { place: 'figure', render: ({ group }) => group },
      render: ({ group }) => <NameTags names={[group]} />,
    },
    {
      key: 'quota',
      sortable: true,
      label: t('user.column.quota'),
      width: 208,
      card: {
        place: 'figure',
        label: t('user.column.balance'),
        render: (user) => <UserQuota user={user} short />,
      },
      render: (user) => (
        <span className={cells.bars}>
          <UserQuota user={user} />
          <OwnerBudget kind="user" id={user.id} budgets={budgets} />
        </span>
      ),
    },
    {
      key: 'used',
      hidden: true,
      sortable: true,
      label: t('user.column.used'),
      numeric: true,
      card: { place: 'figure' },
      render: ({ used_quota }) => <TotalText quota={used_quota} />,
    },
    {
      key: 'requests',
      sortable: true,
      label: t('user.column.requests'),
      numeric: true,
      card: { place: 'figure' },
      render: ({ request_count }) => formatCount(request_count),
    },
    {
      key: 'invites',
      label: t('user.column.invites'),
      card: {
        place: 'figure',
        render: (user) =>
          hasInvited(user) ? (
            <span>
              {user.aff_count} · <TotalText quota={user.aff_history_quota} />
            </span>
          ) : (
            <span className={cells.dim}>–</span>
          ),
      },
      render: (user) => <UserInvites user={user} />,
    },
    {
      key: 'seen',
      sortable: true,
      label: t('user.column.seen'),
      card: { place: 'figure', render: ({ seen_at }) => <Seen at={seen_at} /> },
      render: ({ seen_at }) => <Seen at={seen_at} />,
    },
    {
      key: 'email',
      hidden: true,
      label: t('user.column.email'),
      render: ({ email }) => (email === '' ? <span className={cells.dim}>–</span> : email),
    },
    {
      key: 'created',
      hidden: true,
      label: t('user.column.created'),
      render: ({ created_at }) =>
        // Imported users have no time.
        created_at === 0 ? (
          <span className={cells.dim}>–</span>
        ) : (
          <span className={cells.dim} title={fullTime(created_at)}>
            {minuteTime(created_at)}
          </span>
        ),
    },
  ];
}
