import { longestTokenName, tokenRules } from '../contract/token.ts';
import { AppError } from '../kernel/errors.ts';
import type { Token } from '../storage/storage.ts';
import { splitList } from '../upstream/channel.ts';
import { findBadAddress } from './address-list.ts';

/** What an owner writes; quota an integer, times Unix seconds. */
export interface TokenFields {
  readonly name: string;
  /** −1: never. */
  readonly expiredTime: number;
  readonly remainQuota: number;
  readonly unlimitedQuota: boolean;
  readonly modelLimitsEnabled: boolean;
  /** Comma list. */
  readonly modelLimits: string;
  /** One address or CIDR range per line. */
  readonly allowIps: string;
  readonly group: string;
}

export interface FieldContext {
  readonly now: number;
  /** Groups the owner may use. */
  readonly groups: ReadonlySet<string>;
  readonly quotaPerUnit: number;
  /** The token that is edited: what does not change is accepted as it is. */
  readonly current?: Token | undefined;
}

const maxUnits = 1e9;

function readName(text: string): string {
  const read = tokenRules.shape.name.safeParse(text);
  if (read.success) return read.data;
  const code = read.error.issues[0]?.message;
  throw code === 'name_too_long' ? new AppError(code, { max: longestTokenName }) : new AppError('name_required');
}

/**
 * Checks and normalises the fields that are present (docs/rules/accounts.md#token-fields). Throws AppError
 * name_required, name_too_long, expiry_invalid, token_quota_invalid, allow_ips_invalid, group_not_allowed.
 */
export function readTokenFields(fields: Partial<TokenFields>, context: FieldContext): Partial<TokenFields> {
  const { current } = context;
  const name = fields.name === undefined ? undefined : readName(fields.name);

  const { expiredTime, remainQuota, group } = fields;
  if (expiredTime !== undefined && expiredTime !== -1 && expiredTime !== current?.expiredTime && expiredTime <= context.now) {
    throw new AppError('expiry_invalid');
  }
  const unlimited = fields.unlimitedQuota ?? current?.unlimitedQuota ?? false;
  if (remainQuota !== undefined && remainQuota !== current?.remainQuota) {
    const most = Math.min(maxUnits * context.quotaPerUnit, Number.MAX_SAFE_INTEGER);
    const valid = unlimited ? Number.isSafeInteger(remainQuota) : remainQuota >= 0 && remainQuota <= most;
    if (!valid) throw new AppError('token_quota_invalid');
  }
  const bad = fields.allowIps === undefined ? undefined : findBadAddress(fields.allowIps);
  if (bad !== undefined) throw new AppError('allow_ips_invalid', { line: bad });
  if (group !== undefined && group !== '' && group !== current?.group && !context.groups.has(group)) {
    throw new AppError('group_not_allowed', { group });
  }
  const cleaned: Partial<TokenFields> = {
    ...fields,
    ...(name !== undefined && { name }),
    ...(fields.modelLimits !== undefined && { modelLimits: splitList(fields.modelLimits).join(',') }),
  };
  return Object.fromEntries(Object.entries(cleaned).filter(([, value]) => value !== undefined));
}
