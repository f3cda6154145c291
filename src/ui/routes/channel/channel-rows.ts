/**
 * Rows of the table: channels, or tags with their channels folded under them
 * (docs/rules/channels.md#tags).
 */
import type { ChannelTag } from '../../../core/contract/channel-tags.ts';
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { channelStatuses } from '../../../core/vocabulary/statuses.ts';
import type { RowState } from '../../list/columns.ts';

/** A tag with the sums of its channels. */
export interface TagRow extends ChannelTag {
  readonly kind: 'tag';
  readonly open: boolean;
  /** Its channels could not be read. */
  readonly broken: boolean;
}
export interface ChannelRow {
  readonly kind: 'channel';
  readonly channel: ChannelEntity;
  /** Stands under its tag. */
  readonly child: boolean;
}
export type Row = TagRow | ChannelRow;

export const keyOfRow = (row: Row): string | number =>
  row.kind === 'tag' ? `tag:${row.tag}` : row.channel.id;

export function stateOfRow(row: Row): RowState {
  if (row.kind === 'tag') return 'parent';
  const isOff = row.channel.status !== channelStatuses.enabled;
  if (row.child) return isOff ? 'dimmedChild' : 'child';
  return isOff ? 'dimmed' : undefined;
}

/** The status filter's value for channels whose last test failed. */
export const failedTest = 'failed';
/** States that are no status and change by themselves: further choices of the filter. */
export const liveStates = ['cooling', 'failing', 'working', 'untested'] as const;

export function channelRows(channels: readonly ChannelEntity[]): readonly Row[] {
  return channels.map((channel) => ({ kind: 'channel', channel, child: false }));
}

/** Channels shown below their tag; the list filtered by the tag shows all, page by page. */
export const mostChildren = 100;

/** The channels of an open tag. */
export interface Children {
  readonly tag: string;
  /** Undefined until they are read. */
  readonly channels: readonly ChannelEntity[] | undefined;
  readonly broken: boolean;
}

/** Tags in the order they come, each with its channels below it while open. */
export function tagRows(
  items: readonly (ChannelTag | ChannelEntity)[],
  open: readonly Children[],
): readonly Row[] {
  return items.flatMap((item): readonly Row[] => {
    if (!('channels' in item)) return channelRows([item]);
    const below = open.find(({ tag }) => tag === item.tag);
    const row: Row = {
      ...item,
      kind: 'tag',
      open: below !== undefined,
      broken: below?.broken ?? false,
    };
    const channels = below?.channels ?? [];
    return [row, ...channels.map((channel): Row => ({ kind: 'channel', channel, child: true }))];
  });
}
