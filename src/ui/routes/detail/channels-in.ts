import type { ChannelState } from '../../../core/vocabulary/channel-states.ts';
import { channelStatuses } from '../../../core/vocabulary/statuses.ts';

const statuses: Partial<Record<ChannelState, number>> = {
  auto_disabled: channelStatuses.autoDisabled,
  disabled: channelStatuses.disabled,
};

/** Where exactly the channels in a state are listed: the filter has statuses by their numbers. */
export const channelsIn = (state: ChannelState): string =>
  `/channel?status=${statuses[state] ?? state}`;
