import { ChevronDown, ChevronRight } from 'lucide-react';
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { channelStatuses } from '../../../core/vocabulary/statuses.ts';
import { TotalText } from '../../components/money-text.tsx';
import { TypeLogo } from '../../components/provider-logo.tsx';
import { NameTags } from '../../components/tag.tsx';
import { minuteTime } from '../../hooks/use-time-text.ts';
import { useTranslation } from '../../i18n/index.ts';
import type { ScreenColumn } from '../../list/columns.ts';
import { typeName } from '../../queries/use-channel-types.ts';
import classes from './channel.module.css';
import {
  OrderCell,
  TagOrderCell,
  TagStatus,
  TagTests,
  TestTag,
  UpstreamBalance,
} from './channel-cells.tsx';
import { type ChannelRow, mostChildren, type Row, type TagRow } from './channel-rows.ts';
import { ChannelStatus } from './channel-status.tsx';
import { listOf } from './list-of.ts';

const keys = [
  'id',
  'name',
  'group',
  'tag',
  'status',
  'response',
  'used',
  'balance',
  'priority',
  'weight',
  'created',
] as const;
type ColumnKey = (typeof keys)[number];

/** A cell for channels, and one for tags. */
interface Cell {
  readonly channel: (row: ChannelRow) => React.ReactNode;
  readonly tag: (row: TagRow) => React.ReactNode;
  readonly numeric?: boolean;
  /** Hidden until the reader asks for it. */
  readonly hidden?: boolean;
  /** Where a phone's card shows it. */
  readonly card?: {
    readonly place: 'second' | 'status' | 'figure';
    readonly label?: string;
    readonly render?: (row: ChannelRow) => React.ReactNode;
  };
}

/** What cells do. */
export interface ChannelCellActions {
  readonly toggleTag: (tag: string) => void;
  /** Lists the channels of a tag. */
  readonly showTag: (tag: string) => void;
  readonly updateBalance: (channel: ChannelEntity) => void;
  readonly saveOrder: (
    channel: ChannelEntity,
    field: 'priority' | 'weight',
    value: number,
  ) => Promise<unknown>;
  readonly saveTagOrder: (
    tag: string,
    field: 'priority' | 'weight',
    value: number,
  ) => Promise<unknown>;
}

/** `grouped`: rows stand under their tags, which need no column then. */
export function useChannelColumns(
  actions: ChannelCellActions,
  grouped: boolean,
): readonly ScreenColumn<Row>[] {
  const { t } = useTranslation();
  const about = ({ type, models, multi_key: keys }: ChannelEntity) =>
    [
      typeName(type),
      t('channel.models', { count: listOf(models).length }),
      ...(keys === undefined ? [] : [t('channel.form.keys', { count: keys.size })]),
    ].join(' · ');
  const cells: Record<ColumnKey, Cell> = {
    id: {
      channel: ({ channel }) => <span className={classes.dim}>{channel.id}</span>,
      tag: () => '',
    },
    name: {
      card: {
        place: 'second',
        render: ({ channel }) => `#${channel.id} · ${about(channel)}`,
      },
      channel: ({ channel }) => (
        <span className={classes.nameCell}>
          <TypeLogo
            type={channel.type}
            name={channel.name}
            grey={channel.status !== channelStatuses.enabled}
          />
          <span className={classes.names}>
            <span className={classes.name} title={channel.name}>
              {channel.name}
            </span>
            <span className={`${classes.second} tp-second-line`} title={about(channel)}>
              {about(channel)}
            </span>
          </span>
        </span>
      ),
      tag: (row) => {
        const Icon = row.open ? ChevronDown : ChevronRight;
        const head = (
          <button
            type="button"
            className={classes.tagName}
            aria-expanded={row.open}
            onClick={() => actions.toggleTag(row.tag)}
          >
            <Icon size={16} strokeWidth={1.75} />
            <span className={classes.names}>
              <span className={classes.name}>{row.tag}</span>
              <span className={`${classes.second} tp-second-line`}>
                {t('channel.tag.row', { count: row.channels })}
              </span>
            </span>
          </button>
        );
        if (row.broken)
          return (
            <span className={classes.tagHead}>
              {head}
              <span className={classes.tagBroken}>{t('channel.failed')}</span>
            </span>
          );
        if (!row.open || row.channels <= mostChildren) return head;
        return (
          <span className={classes.tagHead}>
            {head}
            <button
              type="button"
              className={classes.tagAll}
              onClick={() => actions.showTag(row.tag)}
            >
              {t('channel.tag.showAll', {
                most: mostChildren,
                total: row.channels.toLocaleString('en-US'),
              })}
            </button>
          </span>
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
      card: { place: 'status' },
      tag: (row) => <TagStatus row={row} />,
    },
    response: {
      card: { place: 'figure' },
      channel: ({ channel }) => <TestTag channel={channel} />,
      tag: (row) => <TagTests row={row} />,
    },
    used: {
      card: { place: 'figure' },
      channel: ({ channel }) => <TotalText quota={channel.used_quota} />,
      tag: (row) => <TotalText quota={row.used_quota} />,
      numeric: true,
    },
    balance: {
      channel: ({ channel }) => (
        <UpstreamBalance channel={channel} onUpdate={() => actions.updateBalance(channel)} />
      ),
      tag: () => '',
      numeric: true,
    },
    priority: {
      card: {
        place: 'figure',
        label: t('channel.card.priorityWeight'),
        render: ({ channel }) => `${channel.priority} · ${channel.weight}`,
      },
      channel: ({ channel }) => (
        <OrderCell
          channel={channel}
          field="priority"
          onSave={(value) => actions.saveOrder(channel, 'priority', value)}
        />
      ),
      tag: (row) => (
        <TagOrderCell
          row={row}
          field="priority"
          onSave={(value) => actions.saveTagOrder(row.tag, 'priority', value)}
        />
      ),
      numeric: true,
    },
    weight: {
      channel: ({ channel }) => (
        <OrderCell
          channel={channel}
          field="weight"
          onSave={(value) => actions.saveOrder(channel, 'weight', value)}
        />
      ),
      tag: (row) => (
        <TagOrderCell
          row={row}
          field="weight"
          onSave={(value) => actions.saveTagOrder(row.tag, 'weight', value)}
        />
      ),
      numeric: true,
    },
    created: {
      channel: ({ channel }) => (
        <span className={classes.dim}>
          {channel.created_time > 0 ? minuteTime(channel.created_time) : '—'}
        </span>
      ),
      tag: () => '',
      hidden: true,
    },
  };
  const shown = keys.filter((key) => key !== 'tag' || !grouped);
  return shown.map((key): ScreenColumn<Row> => {
    const { channel, tag, card, numeric = false, hidden = false } = cells[key];
    return {
      key,
      label: t(`channel.column.${key}`),
      numeric,
      hidden,
      fixed: key === 'name',
      sortable: key === 'id' || key === 'priority',
      render: (row) => (row.kind === 'tag' ? tag(row) : channel(row)),
      ...(card && {
        card: {
          ...card,
          render: (row: Row) => (row.kind === 'tag' ? tag(row) : (card.render ?? channel)(row)),
        },
      }),
    };
  });
}
