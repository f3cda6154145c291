/** Statuses, roles and types of log rows that have a word (core/i18n), and what each says at a glance. */
import { logTypes } from './log-types.ts';
import { redemptionStates } from './redemption-state.ts';
import { roles } from './roles.ts';
import { channelStatuses, type TopUpStatus, tokenStatuses, userStatuses } from './statuses.ts';
import type { DrawingStatus, TaskStatus } from './task-types.ts';

/**
 * `good` works, `off` does not count, `warn` waits or needs a look, `bad` failed, `note` goes on or
 * says something, `high` has all rights, `plain` says nothing. Each interface has a colour for each.
 */
export type StatusTone = 'good' | 'off' | 'warn' | 'bad' | 'note' | 'high' | 'plain';

/** By the number of the API. */
export const statusTones = {
  'status.channel': {
    [channelStatuses.enabled]: 'good',
    [channelStatuses.disabled]: 'off',
    [channelStatuses.autoDisabled]: 'bad',
  },
  'status.user': {
    [userStatuses.active]: 'good',
    [userStatuses.banned]: 'bad',
    [userStatuses.deleted]: 'off',
  },
  'status.token': {
    [tokenStatuses.enabled]: 'good',
    [tokenStatuses.disabled]: 'off',
    [tokenStatuses.expired]: 'warn',
    [tokenStatuses.exhausted]: 'bad',
  },
  'status.redemption': {
    [redemptionStates.unused]: 'good',
    [redemptionStates.disabled]: 'off',
    [redemptionStates.used]: 'note',
    [redemptionStates.expired]: 'warn',
  },
  role: { [roles.user]: 'plain', [roles.admin]: 'note', [roles.root]: 'high' },
  logType: {
    [logTypes.unknown]: 'off',
    [logTypes.topUp]: 'good',
    [logTypes.consume]: 'plain',
    [logTypes.manage]: 'note',
    [logTypes.system]: 'note',
    [logTypes.error]: 'bad',
    [logTypes.refund]: 'note',
  },
} as const satisfies Record<string, Readonly<Record<number, StatusTone>>>;

export type StatusGroup = keyof typeof statusTones;

/** Undefined: this release does not know the number. */
export function toneOf(group: StatusGroup, value: number): StatusTone | undefined {
  const tones: Readonly<Record<number, StatusTone>> = statusTones[group];
  return tones[value];
}

export const topUpTones: Readonly<Record<TopUpStatus, StatusTone>> = {
  pending: 'note',
  success: 'good',
  failed: 'off',
};

/** Of drawings and tasks; '' until the upstream has reported one. */
export const taskTones: Readonly<Record<TaskStatus | DrawingStatus | '', StatusTone>> = {
  '': 'off',
  NOT_START: 'off',
  SUBMITTED: 'warn',
  QUEUED: 'warn',
  IN_PROGRESS: 'note',
  MODAL: 'warn',
  SUCCESS: 'good',
  FAILURE: 'bad',
  UNKNOWN: 'off',
};
