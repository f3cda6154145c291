import type { RedemptionEntity } from '../../../core/contract/entities.ts';
import { redemptionStateOf, redemptionStates } from '../../../core/vocabulary/redemption-state.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { TotalText } from '../../components/money-text.tsx';
import { colourOf } from '../../components/status-colours.ts';
import { StatusDot } from '../../components/status-dot.tsx';
import { UnreadableKey } from '../../components/tag.tsx';
import { fullTime, minuteTime } from '../../hooks/use-time-text.ts';
import { useTranslation } from '../../i18n/index.ts';
import { wordKey } from '../../i18n/words.ts';
import cells from '../../list/cells.module.css';
import type { ScreenColumn } from '../../list/columns.ts';

export const stateOf = (code: RedemptionEntity) => redemptionStateOf(code, Date.now() / 1000);

export function RedemptionState({ code }: { code: RedemptionEntity }) {
  const { t } = useTranslation();
  const state = stateOf(code);
  return (
    <StatusDot
      tone={colourOf('status.redemption', state)}
      label={t(wordKey('status.redemption', state))}
    />
  );
}

/** `3f0a…9c1e` with its copy button. */
function RedemptionKey({ code }: { code: RedemptionEntity }) {
  const { t } = useTranslation();
  if (code.unreadable) return <UnreadableKey />;
  return (
    <span className={cells.key}>
      <code>
        {code.key.slice(0, 4)}…{code.key.slice(-4)}
      </code>
      <CopyButton text={code.key} label={t('redemption.copyKey', { name: code.name })} />
    </span>
  );
}

export function RedemptionExpiry({ code }: { code: RedemptionEntity }) {
  const { t } = useTranslation();
  if (code.expired_time === 0) return <span className={cells.dim}>{t('redemption.never')}</span>;
  const late = stateOf(code) === redemptionStates.expired ? cells.late : undefined;
  return (
    <span className={late} data-moment title={fullTime(code.expired_time)}>
      {minuteTime(code.expired_time)}
    </span>
  );
}

export function useRedemptionColumns(): readonly ScreenColumn<RedemptionEntity>[] {
  const { t } = useTranslation();
  return [
    {
      key: 'name',
      fixed: true,
      label: t('redemption.column.name'),
      render: (code) => (
        <span className={cells.names}>
          <span className={cells.name} title={code.name}>
            {code.name}
          </span>
          <span className={`${cells.second} tp-second-line`}>#{code.id}</span>
        </span>
      ),
    },
    {
      key: 'key',
      label: t('redemption.column.key'),
      card: { place: 'second' },
      render: (code) => <RedemptionKey code={code} />,
    },
    {
      key: 'status',
      label: t('redemption.column.status'),
      card: { place: 'status' },
      render: (code) => <RedemptionState code={code} />,
    },
    {
      key: 'quota',
      label: t('redemption.column.quota'),
      numeric: true,
      card: { place: 'figure' },
      render: ({ quota }) => <TotalText quota={quota} />,
    },
    {
      key: 'expires',
      label: t('redemption.column.expires'),
      card: { place: 'figure' },
      render: (code) => <RedemptionExpiry code={code} />,
    },
    {
      key: 'redeemed',
      label: t('redemption.column.redeemed'),
      card: { place: 'figure' },
      render: ({ used_user_id, redeemed_time }) =>
        used_user_id === 0 ? (
          <span className={cells.dim}>–</span>
        ) : (
          <span className={cells.names} title={fullTime(redeemed_time)}>
            {t('redemption.user', { id: used_user_id })}
            <span className={`${cells.second} tp-second-line`}>{minuteTime(redeemed_time)}</span>
          </span>
        ),
    },
    {
      key: 'created',
      label: t('redemption.column.created'),
      render: ({ created_time }) => (
        <span className={cells.dim} title={fullTime(created_time)}>
          {minuteTime(created_time)}
        </span>
      ),
    },
  ];
}
