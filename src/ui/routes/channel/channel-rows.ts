/**
 * Rows of the table: channels, or tags with their channels folded under them
 * (docs/rules/channels.md#tags).
 */
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { channelStatuses } from '../../../core/vocabulary/statuses.ts';

export interface TagRow {
  readonly kind: 'tag';
  readonly tag: string;
  readonly channels: readonly ChannelEntity[];
  readonly enabled: number;
  readonly usedQuota: number;
  /** Milliseconds, mean of those whose last test went well; 0: none did. */
  readonly responseTime: number;
  /** Channels whose last test failed. */
  readonly failed: number;
  readonly groups: readonly string[];
  /** The channels' common value, undefined where they differ. */
  readonly priority: number | undefined;
  readonly weight: number | undefined;
  readonly open: boolean;
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

export function stateOfRow(row: Row): 'parent' | 'child' | 'dimmed' | undefined {
  if (row.kind === 'tag') return 'parent';
  if (row.channel.status !== channelStatuses.enabled) return 'dimmed';
  return row.child ? 'child' : undefined;
}

const lastTestFailed = (channel: ChannelEntity): boolean => channel.test_error !== undefined;

/** The status filter's value for channels whose last test failed. */
export const failedTest = 'failed';
/** States that are no status and change by themselves: further choices of the filter. */
export const liveStates = ['cooling', 'failing', 'untested'] as const;

/** The one value of all, or undefined. */
function common(values: readonly number[]): number | undefined {
  return new Set(values).size === 1 ? values[0] : undefined;
}

export function tagRow(tag: string, channels: readonly ChannelEntity[], open: boolean): TagRow {
  const failed = channels.filter(lastTestFailed).length;
  const tested = channels.flatMap((channel) =>
    channel.response_time > 0 && !lastTestFailed(channel) ? [channel.response_time] : [],
  );
  return {
    kind: 'tag',
    tag,
    channels,
    enabled: channels.filter((channel) => channel.status === channelStatuses.enabled).length,
    usedQuota: channels.reduce((sum, channel) => sum + channel.used_quota, 0),
    responseTime:
      tested.length === 0
        ? 0
        : Math.round(tested.reduce((sum, time) => sum + time, 0) / tested.length),
    failed,
    groups: [...new Set(channels.flatMap((channel) => channel.group.split(',')))].filter(
      (name) => name !== '',
    ),
    priority: common(channels.map((channel) => channel.priority)),
    weight: common(channels.map((channel) => channel.weight)),
    open,
  };
}

export function channelRows(channels: readonly ChannelEntity[]): readonly Row[] {
  return channels.map((channel) => ({ kind: 'channel', channel, child: false }));
}

/** Channels shown below their tag; the list filtered by the tag shows all, page by page. */
export const mostChildren = 100;

/** Tags in the order they come, each with its channels below it while open. */
export function tagRows(
  channels: readonly ChannelEntity[],
  open: ReadonlySet<string>,
): readonly Row[] {
  const byTag = Map.groupBy(channels, ({ tag }) => tag);
  return [...byTag].flatMap(([tag, members]): readonly Row[] => {
    if (tag === '') return channelRows(members);
    const isOpen = open.has(tag);
    const children = isOpen
      ? members
          .slice(0, mostChildren)
          .map((channel): Row => ({ kind: 'channel', channel, child: true }))
      : [];
    return [tagRow(tag, members, isOpen), ...children];
  });
}
