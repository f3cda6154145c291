import { Menu } from '@mantine/core';
import { Pencil, Power, PowerOff, Trash2 } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { TokenEntity } from '../../../core/contract/entities.ts';
import { tokenStatuses } from '../../../core/vocabulary/statuses.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { ratioTone } from '../../components/measured-tone.ts';
import { StatusDot, type Tone } from '../../components/status-dot.tsx';
import { ValueTag } from '../../components/tag.tsx';
import { dateText, fullTime, useAgeText } from '../../hooks/use-time-text.ts';
import { wordKey } from '../../i18n/words.ts';
import type { ListColumn } from '../../list/data-table.tsx';
import { RowMenu } from '../../list/row-menu.tsx';
import { TextAction } from '../../list/text-action.tsx';
import type { ColumnSpec } from '../../list/use-columns.ts';
import { QuotaBar } from './quota-bar.tsx';
import classes from './token.module.css';
import { commaList } from './token-form.ts';

const tones: Readonly<Record<number, Tone>> = {
  [tokenStatuses.enabled]: 'ok',
  [tokenStatuses.disabled]: 'off',
  [tokenStatuses.expired]: 'yel',
  [tokenStatuses.exhausted]: 'red',
};

/** An expired token may say so before the server's next round writes it down. */
function statusOf({ status, expired_time: expires }: TokenEntity): number {
  const late = status === tokenStatuses.enabled && expires !== -1 && expires * 1000 < Date.now();
  return late ? tokenStatuses.expired : status;
}

export function TokenStatus({ token }: { token: TokenEntity }) {
  const { t } = useTranslation();
  const status = statusOf(token);
  return <StatusDot tone={tones[status] ?? 'off'} label={t(wordKey('status.token', status))} />;
}

/** `sk-Tp4q…9fKa` with its copy button. */
export function TokenKey({ token }: { token: TokenEntity }) {
  const { t } = useTranslation();
  return (
    <span className={classes.key}>
      <code>
        sk-{token.key.slice(0, 4)}…{token.key.slice(-4)}
      </code>
      <CopyButton text={`sk-${token.key}`} label={t('token.copyKey', { name: token.name })} />
    </span>
  );
}

export function TokenExpiry({ token }: { token: TokenEntity }) {
  const { t } = useTranslation();
  if (token.expired_time === -1) return <span className={classes.dim}>{t('token.never')}</span>;
  return (
    <span className={statusOf(token) === tokenStatuses.expired ? classes.late : undefined} title={fullTime(token.expired_time)}>
      {dateText(token.expired_time)}
    </span>
  );
}

export interface TokenActs {
  readonly edit: (token: TokenEntity) => void;
  readonly toggle: (token: TokenEntity) => void;
  readonly remove: (tokens: readonly TokenEntity[]) => void;
}

export function TokenMenu({ token, acts, withEdit = false }: { token: TokenEntity; acts: TokenActs; withEdit?: boolean }) {
  const { t } = useTranslation();
  const enabled = token.status === tokenStatuses.enabled;
  return (
    <RowMenu name={token.name}>
      {withEdit && (
        <Menu.Item leftSection={<Pencil size={14} />} onClick={() => acts.edit(token)}>
          {t('common.edit')}
        </Menu.Item>
      )}
      <Menu.Item leftSection={enabled ? <PowerOff size={14} /> : <Power size={14} />} onClick={() => acts.toggle(token)}>
        {t(enabled ? 'common.disable' : 'common.enable')}
      </Menu.Item>
      <Menu.Item c="var(--tp-red-text)" leftSection={<Trash2 size={14} />} onClick={() => acts.remove([token])}>
        {t('common.delete')}
      </Menu.Item>
    </RowMenu>
  );
}

export function useTokenColumns(acts: TokenActs, ratios: Readonly<Record<string, { readonly ratio: number }>>, ownGroup: string) {
  const { t } = useTranslation();
  const age = useAgeText();
  const specs = useMemo<readonly ColumnSpec[]>(
    () =>
      (['name', 'key', 'status', 'quota', 'group', 'expires', 'used', 'created', 'actions'] as const).map((key) => ({
        key,
        label: t(`token.column.${key}`),
        fixed: key === 'name' || key === 'actions',
        hidden: key === 'created',
      })),
    [t],
  );
  const columns: readonly ListColumn<TokenEntity>[] = [
    {
      key: 'name',
      label: t('token.column.name'),
      render: (token) => (
        <span className={classes.names}>
          <span className={classes.name} title={token.name}>
            {token.name}
          </span>
          <span className={`${classes.second} tp-second-line`}>
            {token.model_limits_enabled
              ? t('token.models.some', { count: commaList(token.model_limits).length })
              : t('token.models.all')}
          </span>
        </span>
      ),
    },
    { key: 'key', label: t('token.column.key'), render: (token) => <TokenKey token={token} /> },
    { key: 'status', label: t('token.column.status'), render: (token) => <TokenStatus token={token} /> },
    { key: 'quota', label: t('token.column.quota'), width: 232, render: (token) => <QuotaBar token={token} /> },
    {
      key: 'group',
      label: t('token.column.group'),
      render: ({ group }) => {
        const ratio = ratios[group === '' ? ownGroup : group]?.ratio;
        return (
          <span className={classes.group}>
            {group === '' ? <span className={classes.dim}>{t('token.group.own')}</span> : group}
            {ratio !== undefined && <ValueTag tone={ratioTone(ratio)}>×{ratio}</ValueTag>}
          </span>
        );
      },
    },
    { key: 'expires', label: t('token.column.expires'), render: (token) => <TokenExpiry token={token} /> },
    {
      key: 'used',
      label: t('token.column.used'),
      render: (token) =>
        // A token that was never used carries the time it was made.
        token.accessed_time === 0 || token.accessed_time === token.created_time ? (
          <span className={classes.dim}>{t('token.neverUsed')}</span>
        ) : (
          <span className={classes.dim} title={fullTime(token.accessed_time)}>
            {age(token.accessed_time)}
          </span>
        ),
    },
    {
      key: 'created',
      label: t('token.column.created'),
      render: (token) => <span className={classes.dim}>{fullTime(token.created_time)}</span>,
    },
    {
      key: 'actions',
      label: t('token.column.actions'),
      bare: true,
      numeric: true,
      render: (token) => (
        <span className={classes.actions}>
          <TextAction onClick={() => acts.edit(token)} label={t('common.edit')} of={token.name} />
          <TokenMenu token={token} acts={acts} />
        </span>
      ),
    },
  ];
  return { specs, columns };
}
