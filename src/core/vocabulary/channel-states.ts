/**
 * How a channel is, the worst first (docs/rules/usage-logs.md#channel-states). `cooling`: the
 * circuit breaker keeps traffic away for now.
 */
export const channelStates = [
  'auto_disabled',
  'cooling',
  'failing',
  'working',
  'untested',
  'disabled',
] as const;
export type ChannelState = (typeof channelStates)[number];
