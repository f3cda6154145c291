import { createInputReader } from '../entities/convert.ts';
import type { WritableRow, Written } from '../entities/field.ts';
import { checkExpiry, createFieldCheck } from '../entities/limits.ts';
import { tokenFields } from '../entities/token.ts';
import { AppError } from '../kernel/errors.ts';
import { maxAmount } from '../kernel/quota.ts';
import type { Token } from '../storage/storage.ts';
import { splitList } from '../upstream/channel.ts';
import { findBadAddress } from './address-list.ts';

/** The fields that an owner may write. Quota is an integer; times are Unix seconds. */
export type TokenFields = Written<typeof tokenFields>;
/** The same fields after the check. */
export type CheckedTokenFields = WritableRow<typeof tokenFields>;

export interface FieldContext {
  readonly now: number;
  /** Groups the owner may use. */
  readonly groups: ReadonlySet<string>;
  readonly quotaPerUnit: number;
  /** The token being edited. Unchanged values are not checked again. */
  readonly current?: Token | undefined;
}

const maxUnits = 1e9;

/** Converts from the field names of the API. */
export const readTokenInput = createInputReader(tokenFields);
const checkEach = createFieldCheck(tokenFields);

/**
 * Checks and normalises the fields that are present (docs/rules/accounts.md#token-fields). Throws
 * AppError name_required, name_too_long, expiry_invalid, token_quota_invalid, allow_ips_invalid,
 * group_not_allowed.
 */
export function checkTokenFields(
  fields: Partial<TokenFields>,
  context: FieldContext,
): Partial<CheckedTokenFields> {
  const { current } = context;
  const checked = checkEach(fields);
  const { expiredTime, remainQuota, group } = checked;
  checkExpiry(tokenFields.expired_time, expiredTime, {
    now: context.now,
    current: current?.expiredTime,
  });
  const unlimited = checked.unlimitedQuota ?? current?.unlimitedQuota ?? false;
  if (remainQuota !== undefined && remainQuota !== current?.remainQuota && !unlimited) {
    const maxQuota = Math.min(maxUnits * context.quotaPerUnit, maxAmount);
    if (remainQuota < 0 || remainQuota > maxQuota) throw new AppError('token_quota_invalid');
  }
  const bad = checked.allowIps === undefined ? undefined : findBadAddress(checked.allowIps);
  if (bad !== undefined) throw new AppError('allow_ips_invalid', { line: bad });
  if (
    group !== undefined &&
    group !== '' &&
    group !== current?.group &&
    !context.groups.has(group)
  ) {
    throw new AppError('group_not_allowed', { group });
  }
  if (checked.modelLimits === undefined) return checked;
  return { ...checked, modelLimits: splitList(checked.modelLimits).join(',') };
}
