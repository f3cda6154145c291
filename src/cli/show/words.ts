/** Names of statuses, roles and log types, as every part of the product shows them, with the tone each has in a terminal. */
import { translate } from '../../core/i18n/translate.ts';
import { logTypes } from '../../core/vocabulary/log-types.ts';
import { roles } from '../../core/vocabulary/roles.ts';
import { channelStatuses, redemptionStatuses, tokenStatuses, userStatuses } from '../../core/vocabulary/statuses.ts';
import type { Language } from '../base/text.ts';
import type { Tone } from '../kit/tones.ts';

/** Tone by the number that the API uses. */
const tones = {
  'status.channel': {
    [channelStatuses.enabled]: 'ok',
    [channelStatuses.disabled]: 'dim',
    [channelStatuses.autoDisabled]: 'error',
  },
  'status.user': { [userStatuses.active]: 'ok', [userStatuses.banned]: 'error', [userStatuses.deleted]: 'dim' },
  'status.token': {
    [tokenStatuses.enabled]: 'ok',
    [tokenStatuses.disabled]: 'dim',
    [tokenStatuses.expired]: 'warn',
    [tokenStatuses.exhausted]: 'error',
  },
  'status.redemption': {
    [redemptionStatuses.unused]: 'ok',
    [redemptionStatuses.disabled]: 'dim',
    [redemptionStatuses.used]: 'dim',
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

export type WordGroup = keyof typeof tones;
type Known<G extends WordGroup> = keyof (typeof tones)[G] & number;

function isKnown<G extends WordGroup>(group: G, value: number): value is Known<G> {
  return Object.hasOwn(tones[group], value);
}

/** The name of a number; an unknown number is shown as it is. */
export function wordFor(group: WordGroup, value: number, language: Language): string {
  return isKnown(group, value) ? translate(language, `${group}.${value}`) : String(value);
}

export function toneFor(group: WordGroup, value: number): Tone {
  const known: Readonly<Record<number, Tone>> = tones[group];
  return known[value] ?? 'plain';
}
