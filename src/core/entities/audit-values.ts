/** Fields and values of the audit log, as people read them (docs/rules/security.md#audit-log). */
import type { Language } from '../vocabulary/languages.ts';
import type { StatusGroup } from '../vocabulary/status-tones.ts';
import { budgetFields } from './budget.ts';
import { channelFields } from './channel.ts';
import { rowName } from './convert.ts';
import type { Fields } from './field.ts';
import { redemptionFields } from './redemption.ts';
import { tokenFields } from './token.ts';
import { userFields } from './user.ts';

/** By the area of the action. */
const fieldsOf: Readonly<Record<string, Fields>> = {
  user: userFields,
  channel: channelFields,
  token: tokenFields,
  redemption: redemptionFields,
  budget: budgetFields,
};

const statusGroups: Readonly<Record<string, StatusGroup>> = {
  user: 'status.user',
  channel: 'status.channel',
  token: 'status.token',
  redemption: 'status.redemption',
};

const areaOf = (action: string): string => action.split('.')[0] ?? '';

/** The label of a field of a row (`remainQuota`); undefined: it has none. */
export function auditFieldLabel(
  action: string,
  name: string,
  language: Language,
): string | undefined {
  const fields = Object.entries(fieldsOf[areaOf(action)] ?? {});
  return fields.find(([wire]) => rowName(wire) === name || wire === name)?.[1].label?.[language];
}

/** How an interface writes what has a form of its own. */
export interface AuditTexts {
  /** An integer of quota. */
  money(quota: number): string;
  /** Unix seconds. */
  time(seconds: number): string;
  word(group: StatusGroup, value: number): string;
}

/**
 * `name`: the field, '' where the target itself changed. Texts are shown as they are, everything
 * else that has no form of its own as JSON.
 */
export function auditValueText(
  action: string,
  name: string,
  value: unknown,
  texts: AuditTexts,
): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') return JSON.stringify(value);
  if (/quota$/i.test(name) || (name === '' && action === 'user.quota')) return texts.money(value);
  if (value > 0 && /(Time|At)$/.test(name)) return texts.time(value);
  const group = name === 'status' ? statusGroups[areaOf(action)] : undefined;
  if (group !== undefined) return texts.word(group, value);
  return name === 'role' ? texts.word('role', value) : String(value);
}
