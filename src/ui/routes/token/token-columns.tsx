import type { BudgetStatus } from '../../../core/contract/budgets.ts';
import type { TokenEntity } from '../../../core/contract/entities.ts';
import { tokenStatuses } from '../../../core/vocabulary/statuses.ts';
import { effectiveTokenStatus, lastUseOf } from '../../../core/vocabulary/token-state.ts';
import { useUser } from '../../client/session.ts';
import { OwnerBudget } from '../../components/budgets/owner-budget.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { ratioTone } from '../../components/measured-tone.ts';
import { QuotaBar } from '../../components/quota-bar.tsx';
import { colourOf } from '../../components/status-colours.ts';
import { StatusDot } from '../../components/status-dot.tsx';
import { UnreadableKey, ValueTag } from '../../components/tag.tsx';
import { useMoney } from '../../hooks/use-money.ts';
import { fullTime, minuteTime, useAgeText } from '../../hooks/use-time-text.ts';
import { useTranslation } from '../../i18n/index.ts';
import { wordKey } from '../../i18n/words.ts';
import cells from '../../list/cells.module.css';
import type { ScreenColumn } from '../../list/columns.ts';
import { useOwnGroups } from '../../queries/use-groups.ts';
import { commaList } from './comma-list.ts';
import classes from './token.module.css';

/**
 * What is left over the total, with a bar; unlimited tokens show what they used. `short`: only what
 * is left.
 */
function TokenQuota({ token, short = false }: { token: TokenEntity; short?: boolean }) {
  const { t } = useTranslation();
  const money = useMoney();
  if (token.unlimited_quota) {
    return (
      <span className={classes.unlimited}>
        <span>{t('token.quota.unlimited')}</span>
        {!short && (
          <span className={cells.dim}>
            {t('token.quota.used', { amount: money.total(token.used_quota).text })}
          </span>
        )}
      </span>
    );
  }
  const total = money.total(token.remain_quota + token.used_quota).text;
  return (
    <QuotaBar
      left={token.remain_quota}
      used={token.used_quota}
      detail={short ? undefined : t('token.quota.of', { amount: total })}
      label={t('token.quota.bar', { left: money.total(token.remain_quota).text, total })}
      off={token.status !== tokenStatuses.enabled}
    />
  );
}

function statusOf(token: TokenEntity): number {
  return effectiveTokenStatus(token, Date.now() / 1000);
}

function TokenStatus({ token }: { token: TokenEntity }) {
  const { t } = useTranslation();
  const status = statusOf(token);
  return (
    <StatusDot tone={colourOf('status.token', status)} label={t(wordKey('status.token', status))} />
  );
}

/** `sk-Tp4q…9fKa` with its copy button. */
function TokenKey({ token }: { token: TokenEntity }) {
  const { t } = useTranslation();
  if (token.unreadable) return <UnreadableKey />;
  return (
    <span className={cells.key}>
      <code>
        sk-{token.key.slice(0, 4)}…{token.key.slice(-4)}
      </code>
      <CopyButton text={`sk-${token.key}`} label={t('token.copyKey', { name: token.name })} />
    </span>
  );
}

function TokenExpiry({ token }: { token: TokenEntity }) {
  const { t } = useTranslation();
  if (token.expired_time === -1) return <span className={cells.dim}>{t('token.never')}</span>;
  return (
    <span
      className={statusOf(token) === tokenStatuses.expired ? cells.late : undefined}
      title={fullTime(token.expired_time)}
    >
      {minuteTime(token.expired_time)}
    </span>
  );
}

/** `budgets`: those about the rows. */
export function useTokenColumns(
  budgets: readonly BudgetStatus[],
): readonly ScreenColumn<TokenEntity>[] {
  const { t } = useTranslation();
  const age = useAgeText();
  const ownGroup = useUser()?.group ?? '';
  const groups = useOwnGroups() ?? {};
  return [
    {
      key: 'name',
      fixed: true,
      label: t('token.column.name'),
      render: (token) => (
        <span className={cells.names}>
          <span className={cells.name} title={token.name}>
            {token.name}
          </span>
          <span className={`${cells.second} tp-second-line`}>
            {token.model_limits_enabled
              ? t('token.models.some', { count: commaList(token.model_limits).length })
              : t('token.models.all')}
          </span>
        </span>
      ),
    },
    {
      key: 'key',
      label: t('token.column.key'),
      card: {
        place: 'second',
        render: (token) => (
          <>
            <TokenKey token={token} />
            <OwnerBudget kind="token" id={token.id} budgets={budgets} />
          </>
        ),
      },
      render: (token) => <TokenKey token={token} />,
    },
    {
      key: 'status',
      label: t('token.column.status'),
      card: { place: 'status' },
      render: (token) => <TokenStatus token={token} />,
    },
    {
      key: 'quota',
      label: t('token.column.quota'),
      width: 232,
      card: { place: 'figure', render: (token) => <TokenQuota token={token} short /> },
      render: (token) => (
        <span className={cells.bars}>
          <TokenQuota token={token} />
          <OwnerBudget kind="token" id={token.id} budgets={budgets} />
        </span>
      ),
    },
    {
      key: 'group',
      label: t('token.column.group'),
      card: { place: 'figure', render: ({ group }) => group || t('token.group.own') },
      render: ({ group }) => {
        const ratio = groups[group === '' ? ownGroup : group]?.ratio;
        return (
          <span className={classes.group}>
            {group === '' ? <span className={cells.dim}>{t('token.group.own')}</span> : group}
            {ratio !== undefined && <ValueTag tone={ratioTone(ratio)}>×{ratio}</ValueTag>}
          </span>
        );
      },
    },
    {
      key: 'expires',
      label: t('token.column.expires'),
      card: { place: 'figure' },
      render: (token) => <TokenExpiry token={token} />,
    },
    {
      key: 'used',
      label: t('token.column.used'),
      render: (token) => {
        const used = lastUseOf(token);
        if (used === 0) return <span className={cells.dim}>{t('token.neverUsed')}</span>;
        return (
          <span className={cells.dim} title={fullTime(used)}>
            {age(used)}
          </span>
        );
      },
    },
    {
      key: 'created',
      hidden: true,
      label: t('token.column.created'),
      render: (token) => <span className={cells.dim}>{fullTime(token.created_time)}</span>,
    },
  ];
}
