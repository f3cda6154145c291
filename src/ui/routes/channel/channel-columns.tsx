import { ChevronDown, ChevronRight } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { channelStatuses } from '../../../core/vocabulary/statuses.ts';
import { TotalText } from '../../components/money-text.tsx';
import { TypeLogo } from '../../components/provider-logo.tsx';
import { StatusDot } from '../../components/status-dot.tsx';
import { NameTags } from '../../components/tag.tsx';
import type { ListColumn } from '../../list/data-table.tsx';
import { TextAction } from '../../list/text-action.tsx';
import type { ColumnSpec } from '../../list/use-columns.ts';
import classes from './channel.module.css';
import { OrderCell, TagOrderCell, TagTests, TestTag, UpstreamBalance } from './channel-cells.tsx';
import { listOf } from './channel-form.ts';
import { type ChannelActs, ChannelMenu, TagMenu } from './channel-menu.tsx';
import type { ChannelRow, Row, TagRow } from './channel-rows.ts';
import { ChannelStatus } from './channel-status.tsx';
import { typeName } from './use-channel-types.ts';

const keys = ['id', 'name', 'group', 'tag', 'status', 'response', 'used', 'balance', 'priority', 'weight', 'actions'] as const;
type ColumnKey = (typeof keys)[number];

/** A cell for channels, and one for tags. */
interface Cell {
  readonly channel: (row: ChannelRow) => React.ReactNode;
  readonly tag: (row: TagRow) => React.ReactNode;
  readonly numeric?: boolean;
}

export function useChannelColumns(acts: ChannelActs, running: ReadonlySet<number>) {
  const { t } = useTranslation();
  const specs = useMemo<readonly ColumnSpec[]>(
    () => keys.map((key) => ({ key, label: t(`channel.column.${key}`), fixed: key === 'name' || key === 'actions' })),
    [t],
  );
  const cells: Record<ColumnKey, Cell> = {
    id: { channel: ({ channel }) => <span className={classes.dim}>{channel.id}</span>, tag: () => '' },
    name: {
      channel: ({ channel }) => (
        <span className={classes.nameCell}>
          <TypeLogo type={channel.type} name={channel.name} grey={channel.status !== channelStatuses.enabled} />
          <span className={classes.names}>
            <span className={classes.name} title={channel.name}>
              {channel.name}
            </span>
            <span className={`${classes.second} tp-second-line`}>
              {typeName(channel.type)} · {t('channel.models', { count: listOf(channel.models).length })}
              {channel.multi_key !== undefined && ` · ${t('channel.form.keys', { count: channel.multi_key.size })}`}
            </span>
          </span>
        </span>
      ),
      tag: (row) => {
        const Icon = row.open ? ChevronDown : ChevronRight;
        return (
          <button type="button" className={classes.tagName} aria-expanded={row.open} onClick={() => acts.toggleTag(row.tag)}>
            <Icon size={16} strokeWidth={1.75} />
            <span className={classes.names}>
              <span className={classes.name}>{row.tag}</span>
              <span className={`${classes.second} tp-second-line`}>{t('channel.tag.row', { count: row.channels.length })}</span>
            </span>
          </button>
        );
      },
    },
    group: {
      channel: ({ channel }) => <NameTags names={listOf(channel.group)} />,
      tag: (row) => <NameTags names={row.groups} />,
    },
    tag: {
      channel: ({ channel }) => (
        <span className={classes.tag} title={channel.tag}>
          {channel.tag || '—'}
        </span>
      ),
      tag: () => '',
    },
    status: {
      channel: ({ channel }) => <ChannelStatus channel={channel} />,
      tag: (row) => <StatusDot tone={row.enabled > 0 ? 'ok' : 'off'} label={`${row.enabled} / ${row.channels.length}`} />,
    },
    response: {
      channel: ({ channel }) => <TestTag channel={channel} />,
      tag: (row) => <TagTests row={row} />,
    },
    used: {
      channel: ({ channel }) => <TotalText quota={channel.used_quota} />,
      tag: (row) => <TotalText quota={row.usedQuota} />,
      numeric: true,
    },
    balance: {
      channel: ({ channel }) => <UpstreamBalance channel={channel} onUpdate={() => acts.updateBalance(channel)} />,
      tag: () => '',
      numeric: true,
    },
    priority: {
      channel: ({ channel }) => (
        <OrderCell channel={channel} field="priority" onSave={(value) => acts.saveOrder(channel, 'priority', value)} />
      ),
      tag: (row) => <TagOrderCell row={row} field="priority" onSave={(value) => acts.saveTagOrder(row.tag, 'priority', value)} />,
      numeric: true,
    },
    weight: {
      channel: ({ channel }) => (
        <OrderCell channel={channel} field="weight" onSave={(value) => acts.saveOrder(channel, 'weight', value)} />
      ),
      tag: (row) => <TagOrderCell row={row} field="weight" onSave={(value) => acts.saveTagOrder(row.tag, 'weight', value)} />,
      numeric: true,
    },
    actions: {
      channel: ({ channel }) => (
        <span className={classes.actions}>
          <TextAction
            label={t('channel.test')}
            of={channel.name}
            busy={running.has(channel.id)}
            onClick={() => acts.test(channel)}
          />
          <TextAction label={t('common.edit')} of={channel.name} onClick={() => acts.edit(channel)} />
          <ChannelMenu channel={channel} acts={acts} />
        </span>
      ),
      tag: (row) => (
        <span className={classes.actions}>
          <TextAction label={t('channel.tag.edit')} of={row.tag} onClick={() => acts.editTag(row)} />
          <TagMenu row={row} acts={acts} />
        </span>
      ),
      numeric: true,
    },
  };
  const columns = keys.map((key): ListColumn<Row> => {
    const cell = cells[key];
    return {
      key,
      label: t(`channel.column.${key}`),
      numeric: cell.numeric ?? false,
      bare: key === 'actions',
      sortable: key === 'id' || key === 'priority',
      render: (row) => (row.kind === 'tag' ? cell.tag(row) : cell.channel(row)),
    };
  });
  return { specs, columns };
}
