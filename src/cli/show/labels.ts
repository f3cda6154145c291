/**
 * Labels of statuses, roles and log types, shared with the console, and their tones in the
 * terminal.
 */
import { translate } from '../../core/i18n/translate.ts';
import { logTypes } from '../../core/vocabulary/log-types.ts';
import { redemptionStates } from '../../core/vocabulary/redemption-state.ts';
import { roles } from '../../core/vocabulary/roles.ts';
import { channelStatuses, tokenStatuses, userStatuses } from '../../core/vocabulary/statuses.ts';
import type { Language } from '../base/text.ts';
import type { Tone } from '../kit/tones.ts';

/** Tone by API number. */
const tones = {
  'status.channel': {
    [channelStatuses.enabled]: 'ok',
    [channelStatuses.disabled]: 'dim',
    [channelStatuses.autoDisabled]: 'error',
  },
  'status.user': {
    [userStatuses.active]: 'ok',
    [userStatuses.banned]: 'error',
    [userStatuses.deleted]: 'dim',
  },
  'status.token': {
    [tokenStatuses.enabled]: 'ok',
    [tokenStatuses.disabled]: 'dim',
    [tokenStatuses.expired]: 'warn',
    [tokenStatuses.exhausted]: 'error',
  },
  'status.redemption': {
    [redemptionStates.unused]: 'ok',
    [redemptionStates.disabled]: 'dim',
    [redemptionStates.used]: 'dim',
    [redemptionStates.expired]: 'warn',
  },
  role: { [roles.user]: 'plain', [roles.admin]: 'info', [roles.root]: 'info' },
  logType: {
    [logTypes.unknown]: 'dim',
    [logTypes.topUp]: 'ok',
    [logTypes.consume]: 'plain',
    [logTypes.manage]: 'info',
    [logTypes.system]: 'info',
    [logTypes.error]: 'error',
    [logTypes.refund]: 'info',
  },
} as const satisfies Record<string, Readonly<Record<number, Tone>>>;

export type LabelGroup = keyof typeof tones;
type Known<G extends LabelGroup> = keyof (typeof tones)[G] & number;

function isKnown<G extends LabelGroup>(group: G, value: number): value is Known<G> {
  return Object.hasOwn(tones[group], value);
}

/** The label of a number; unknown numbers are shown as they are. */
export function labelFor(group: LabelGroup, value: number, language: Language): string {
  return isKnown(group, value) ? translate(language, `${group}.${value}`) : String(value);
}

export function toneFor(group: LabelGroup, value: number): Tone {
  const known: Readonly<Record<number, Tone>> = tones[group];
  return known[value] ?? 'plain';
}
