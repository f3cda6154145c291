/**
 * Statuses of users (docs/rules/accounts.md#user-statuses), channels
 * (docs/rules/channels.md#channel-statuses), tokens (docs/rules/accounts.md#token-statuses) and
 * codes (docs/rules/payments.md#redemption-codes). The numbers are part of the API.
 */
export const userStatuses = { active: 1, banned: 2, deleted: 3 } as const;
export type UserStatus = (typeof userStatuses)[keyof typeof userStatuses];

export const channelStatuses = { enabled: 1, disabled: 2, autoDisabled: 3 } as const;
export type ChannelStatus = (typeof channelStatuses)[keyof typeof channelStatuses];

export const tokenStatuses = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const;
export type TokenStatus = (typeof tokenStatuses)[keyof typeof tokenStatuses];

export const redemptionStatuses = { unused: 1, disabled: 2, used: 3 } as const;

export const topUpStatuses = ['pending', 'success', 'failed'] as const;
export type TopUpStatus = (typeof topUpStatuses)[number];
