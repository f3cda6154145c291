/**
 * The shared word for a number of the wire; a number this console does not know reads "unknown".
 */

import { logTypes } from '../../core/vocabulary/log-types.ts';
import { redemptionStates } from '../../core/vocabulary/redemption-state.ts';
import { roles } from '../../core/vocabulary/roles.ts';
import { channelStatuses, tokenStatuses, userStatuses } from '../../core/vocabulary/statuses.ts';
import type { TextKey } from './index.ts';

const known = {
  role: Object.values<number>(roles),
  'status.channel': Object.values<number>(channelStatuses),
  'status.redemption': Object.values<number>(redemptionStates),
  'status.user': Object.values<number>(userStatuses),
  'status.token': Object.values<number>(tokenStatuses),
  logType: Object.values<number>(logTypes),
} as const;

export function wordKey(group: keyof typeof known, value: number): TextKey {
  if (known[group].includes(value)) return `${group}.${value}` as TextKey;
  return group === 'role' ? 'role.unknown' : 'logType.0';
}
