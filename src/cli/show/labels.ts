/** Words and colours of statuses, roles and log types, from the tables that the console has, too. */
import { isMessageKey, translate } from '../../core/i18n/translate.ts';
import {
  type StatusGroup,
  type StatusTone,
  type statusTones,
  toneOf,
} from '../../core/vocabulary/status-tones.ts';
import type { Language } from '../base/text.ts';
import type { Tone } from '../kit/tones.ts';

type Known<G extends StatusGroup> = keyof (typeof statusTones)[G] & number;

function isKnown<G extends StatusGroup>(group: G, value: number): value is Known<G> {
  return toneOf(group, value) !== undefined;
}

/** The label of a number; unknown numbers are shown as they are. */
export function labelFor(group: StatusGroup, value: number, language: Language): string {
  return isKnown(group, value) ? translate(language, `${group}.${value}`) : String(value);
}

/** The label of a kind of posting; kinds of a newer gateway are shown as they are. */
export function ledgerKindLabel(kind: string, language: Language): string {
  const key = `ledger.kind.${kind}`;
  return isMessageKey(key) ? translate(language, key) : kind;
}

/** The terminal's colour of what a status says. */
export const toneColours: Readonly<Record<StatusTone, Tone>> = {
  good: 'ok',
  off: 'dim',
  warn: 'warn',
  bad: 'error',
  note: 'info',
  high: 'info',
  plain: 'plain',
};

export function toneFor(group: StatusGroup, value: number): Tone {
  return toneColours[toneOf(group, value) ?? 'plain'];
}
