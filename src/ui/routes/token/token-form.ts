/** The token form: its values, the rules, and how they travel (seed, administration 3, 5; console-api 7). */
import type { TokenEntity } from '../../../core/contract/entities.ts';

export interface TokenValues {
  readonly name: string;
  /** A datetime-local value, local time; empty: never. */
  readonly expires: string;
  readonly remain_quota: number | '';
  readonly unlimited_quota: boolean;
  readonly count: number | '';
  readonly group: string;
  readonly model_limits_enabled: boolean;
  readonly model_limits: readonly string[];
  readonly allow_ips: string;
}

/** Seed, administration 9: a new token has 500,000, one dollar. */
const newQuota = 500_000;
/** Console-api 7. */
const longestName = 50;
/** Tokens made at once. */
export const mostAtOnce = 100;
const never = -1;

const pad = (value: number) => String(value).padStart(2, '0');

/** Unix seconds as a datetime-local value with seconds. */
export function fieldOfTime(seconds: number): string {
  if (seconds === never) return '';
  const at = new Date(seconds * 1000);
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}T${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`;
}

/** Unix seconds of a field; −1 for never; undefined when it is no date. */
export function timeOfField(text: string): number | undefined {
  if (text === '') return never;
  const at = new Date(text).getTime();
  return Number.isFinite(at) ? Math.floor(at / 1000) : undefined;
}

export const commaList = (text: string): readonly string[] => text.split(',').filter((name) => name !== '');

export function newTokenValues(): TokenValues {
  return {
    name: '',
    expires: '',
    remain_quota: newQuota,
    unlimited_quota: false,
    count: 1,
    group: '',
    model_limits_enabled: false,
    model_limits: [],
    allow_ips: '',
  };
}

export function tokenValues(token: TokenEntity): TokenValues {
  return {
    name: token.name,
    expires: fieldOfTime(token.expired_time),
    remain_quota: token.remain_quota,
    unlimited_quota: token.unlimited_quota,
    count: 1,
    group: token.group,
    model_limits_enabled: token.model_limits_enabled,
    model_limits: commaList(token.model_limits),
    allow_ips: token.allow_ips,
  };
}

export type TokenProblem = 'name' | 'nameLong' | 'expires' | 'quota' | 'count' | 'models';

/** What is wrong, by field. */
export function checkToken(values: TokenValues): Partial<Record<keyof TokenValues, TokenProblem>> {
  const { name, expires, remain_quota, unlimited_quota, count, model_limits_enabled, model_limits } = values;
  const length = [...name.trim()].length;
  return {
    ...(length === 0 ? { name: 'name' } : length > longestName ? { name: 'nameLong' } : {}),
    ...(timeOfField(expires) === undefined ? { expires: 'expires' } : {}),
    ...(!unlimited_quota && !(typeof remain_quota === 'number' && Number.isSafeInteger(remain_quota) && remain_quota >= 0)
      ? { remain_quota: 'quota' }
      : {}),
    ...(!(typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= mostAtOnce) ? { count: 'count' } : {}),
    ...(model_limits_enabled && model_limits.length === 0 ? { model_limits: 'models' } : {}),
  };
}

/** The fields as they travel. Call it with values that {@link checkToken} accepts. */
export function tokenInput(values: TokenValues) {
  return {
    name: values.name.trim(),
    expired_time: timeOfField(values.expires) ?? never,
    remain_quota: typeof values.remain_quota === 'number' ? values.remain_quota : 0,
    unlimited_quota: values.unlimited_quota,
    model_limits_enabled: values.model_limits_enabled,
    model_limits: values.model_limits.join(','),
    allow_ips: values.allow_ips.trim(),
    group: values.group,
  };
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Names of n tokens: the first as given, the others with a random 6-character suffix (seed, administration 5). */
export function tokenNames(name: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    if (index === 0) return name;
    const suffix = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => letters[byte % letters.length]).join('');
    return `${name}-${suffix}`;
  });
}
