import { describeChanges } from '../audit/changes.ts';
import type { Commit } from '../audit/commit.ts';
import { mostRedemptions } from '../contract/redemption.ts';
import { createInputReader } from '../entities/convert.ts';
import type { Written } from '../entities/field.ts';
import { checkExpiry, createFieldCheck } from '../entities/limits.ts';
import { redemptionFields } from '../entities/redemption.ts';
import type { Actor } from '../kernel/actor.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { decimal } from '../kernel/decimal.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import { Secret } from '../kernel/secret.ts';
import { formatTotal } from '../pricing/format.ts';
import type { OptionStore } from '../site/option-store.ts';
import type {
  Listing,
  PageRequest,
  Redemption,
  RedemptionFilter,
  Storage,
} from '../storage/storage.ts';
import { redemptionStatuses } from '../vocabulary/statuses.ts';

/** The fields that an administrator may write. */
export type RedemptionFields = Written<typeof redemptionFields>;

export interface RedemptionDeps {
  readonly storage: Pick<Storage, 'redemptions'>;
  readonly options: Pick<OptionStore, 'get'>;
  readonly commit: Commit;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Administration of redemption codes (docs/rules/payments.md#redemption-codes). */
export interface RedemptionService {
  page(filter: RedemptionFilter, page: PageRequest): Promise<Listing<Redemption>>;
  get(id: number): Promise<Redemption>;
  /**
   * Creates all or none, at most `max`, which is {@link mostRedemptions} unless given. Throws
   * AppError code_count_invalid, and what the declaration of the fields names.
   */
  createMany(
    actor: Actor,
    fields: RedemptionFields,
    count: number,
    max?: number,
  ): Promise<readonly NewCode[]>;
  /** Throws AppError code_not_unused unless the code is unused. */
  update(actor: Actor, id: number, change: Partial<RedemptionFields>): Promise<Redemption>;
  /**
   * Disables an unused code or enables a disabled one. Throws AppError code_not_unused for a used
   * code.
   */
  setStatus(actor: Actor, id: number, status: number): Promise<Redemption>;
  remove(actor: Actor, id: number): Promise<void>;
  /** Deletes used, disabled and expired codes. Returns how many. */
  removeInvalid(actor: Actor): Promise<number>;
}

export interface NewCode {
  readonly id: number;
  /** 32 hex characters. */
  readonly key: string;
}

/** Converts from the field names of the API. */
export const readRedemptionInput = createInputReader(redemptionFields);
const checkNew = createFieldCheck(redemptionFields, 'create');
const checkEdits = createFieldCheck(redemptionFields, 'edit');

export function createRedemptionService({
  storage,
  options,
  commit,
  clock,
  ids,
}: RedemptionDeps): RedemptionService {
  const { redemptions } = storage;

  const find = async (codes: Storage['redemptions'], id: number): Promise<Redemption> => {
    const code = await codes.find(id);
    if (code === null) throw new AppError('not_found');
    return code;
  };
  const get = (id: number): Promise<Redemption> => find(redemptions, id);

  /** The formatted quota: `$1.00`, or `500,000` with currency display off. */
  const nameFor = (quota: number): string => {
    const display = {
      inCurrency: options.get('DisplayInCurrencyEnabled'),
      quotaPerUnit: decimal(options.get('QuotaPerUnit')),
    };
    const { text } = formatTotal(quota, display);
    return text.length <= redemptionFields.name.limits.max ? text : String(quota);
  };

  /** `current`: the code being edited. */
  const checkTime = (expiredTime: number | undefined, current?: Redemption): void =>
    checkExpiry(redemptionFields.expired_time, expiredTime, {
      now: nowSeconds(clock),
      current: current?.expiredTime,
    });

  return {
    get,
    page: (filter, page) => redemptions.page(filter, page, nowSeconds(clock)),
    createMany: async (actor, fields, count, max = mostRedemptions) => {
      const checked = checkNew({ ...fields, name: fields.name.trim() || nameFor(fields.quota) });
      checkTime(checked.expiredTime);
      if (count < 1 || count > max) throw new AppError('code_count_invalid', { max });
      const createdTime = nowSeconds(clock);
      const keys = Array.from({ length: count }, () => ids.hex(16));
      const rows = keys.map((key) => ({
        userId: actor.id,
        key: new Secret(key),
        createdTime,
        ...checked,
      }));
      const { name, ...detail } = checked;
      return commit(async (inside, notes) => {
        const created = await inside.redemptions.insertMany(rows);
        notes.record(actor, 'redemption.create', name, { ...detail, count });
        return keys.map((key, index) => ({ id: created[index] ?? 0, key }));
      });
    },
    update: async (actor, id, fields) => {
      const change = checkEdits(fields);
      const before = await get(id);
      checkTime(change.expiredTime, before);
      return commit(async (inside, notes) => {
        if (!(await inside.redemptions.update(id, change))) throw new AppError('code_not_unused');
        notes.record(actor, 'redemption.update', id, {
          name: before.name,
          ...describeChanges(before, change),
        });
        return find(inside.redemptions, id);
      });
    },
    setStatus: async (actor, id, status) => {
      const current = await get(id);
      if (status !== redemptionStatuses.unused && status !== redemptionStatuses.disabled) {
        throw new AppError('invalid_parameter', { field: 'status' });
      }
      if (current.status === redemptionStatuses.used) throw new AppError('code_not_unused');
      return commit(async (inside, notes) => {
        if (
          current.status !== status &&
          !(await inside.redemptions.setStatus(id, current.status, status))
        )
          throw new AppError('code_not_unused');
        notes.record(actor, 'redemption.status', id, {
          name: current.name,
          from: current.status,
          to: status,
        });
        return find(inside.redemptions, id);
      });
    },
    remove: (actor, id) =>
      commit(async (inside, notes) => {
        const { name } = await find(inside.redemptions, id);
        if (!(await inside.redemptions.softDelete(id, nowSeconds(clock))))
          throw new AppError('not_found');
        notes.record(actor, 'redemption.remove', id, { name });
      }),
    removeInvalid: (actor) =>
      commit(async (inside, notes) => {
        const count = await inside.redemptions.softDeleteInvalid(nowSeconds(clock));
        notes.record(actor, 'redemption.remove_invalid', '', { count });
        return count;
      }),
  };
}
