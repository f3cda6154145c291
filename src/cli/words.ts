/** Words for the numbers of the wire, with the tone each carries. */

import { logTypes } from '../core/vocabulary/log-types.ts';
import { roles } from '../core/vocabulary/roles.ts';
import { channelStatuses, redemptionStatuses, tokenStatuses, userStatuses } from '../core/vocabulary/statuses.ts';
import type { Tone } from './kit/tones.ts';
import { type Language, say, type Text } from './text.ts';

interface Word {
  readonly text: Text;
  readonly tone: Tone;
}
type Words = ReadonlyMap<number, Word>;

export const channelStatusWords: Words = new Map<number, Word>([
  [channelStatuses.enabled, { text: { en: 'on', zh: '启用' }, tone: 'ok' }],
  [channelStatuses.disabled, { text: { en: 'off', zh: '停用' }, tone: 'dim' }],
  [channelStatuses.autoDisabled, { text: { en: 'auto-off', zh: '自动停用' }, tone: 'error' }],
]);
export const userStatusWords: Words = new Map<number, Word>([
  [userStatuses.active, { text: { en: 'active', zh: '正常' }, tone: 'ok' }],
  [userStatuses.banned, { text: { en: 'disabled', zh: '封禁' }, tone: 'error' }],
  [userStatuses.deleted, { text: { en: 'deactivated', zh: '注销' }, tone: 'dim' }],
]);
export const tokenStatusWords: Words = new Map<number, Word>([
  [tokenStatuses.enabled, { text: { en: 'on', zh: '启用' }, tone: 'ok' }],
  [tokenStatuses.disabled, { text: { en: 'off', zh: '停用' }, tone: 'dim' }],
  [tokenStatuses.expired, { text: { en: 'expired', zh: '已过期' }, tone: 'warn' }],
  [tokenStatuses.exhausted, { text: { en: 'exhausted', zh: '已耗尽' }, tone: 'error' }],
]);
export const redemptionStatusWords: Words = new Map<number, Word>([
  [redemptionStatuses.unused, { text: { en: 'unused', zh: '未使用' }, tone: 'ok' }],
  [redemptionStatuses.disabled, { text: { en: 'off', zh: '停用' }, tone: 'dim' }],
  [redemptionStatuses.used, { text: { en: 'used', zh: '已使用' }, tone: 'dim' }],
]);
export const roleWords: Words = new Map<number, Word>([
  [roles.user, { text: { en: 'user', zh: '普通用户' }, tone: 'plain' }],
  [roles.admin, { text: { en: 'admin', zh: '管理员' }, tone: 'info' }],
  [roles.root, { text: { en: 'root', zh: '超级管理员' }, tone: 'info' }],
]);
export const logTypeWords: Words = new Map<number, Word>([
  [logTypes.unknown, { text: { en: 'unknown', zh: '未知' }, tone: 'dim' }],
  [logTypes.topUp, { text: { en: 'top-up', zh: '充值' }, tone: 'ok' }],
  [logTypes.consume, { text: { en: 'usage', zh: '消费' }, tone: 'plain' }],
  [logTypes.manage, { text: { en: 'admin', zh: '管理' }, tone: 'info' }],
  [logTypes.system, { text: { en: 'system', zh: '系统' }, tone: 'info' }],
  [logTypes.error, { text: { en: 'error', zh: '错误' }, tone: 'error' }],
  [logTypes.refund, { text: { en: 'refund', zh: '退款' }, tone: 'info' }],
]);

/** A number nobody knows is shown as it is. */
export function wordFor(words: Words, number: number, language: Language): string {
  const word = words.get(number);
  return word === undefined ? String(number) : say(language, word.text);
}
export function toneFor(words: Words, number: number): Tone {
  return words.get(number)?.tone ?? 'plain';
}
