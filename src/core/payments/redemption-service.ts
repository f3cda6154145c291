import type { Audit } from '../audit/audit-log.ts';
import { createInputReader } from '../entities/convert.ts';
import type { Written } from '../entities/field.ts';
import { checkExpiry, createFieldCheck } from '../entities/limits.ts';
import { redemptionFields } from '../entities/redemption.ts';
import type { Actor } from '../kernel/actor.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import { Secret } from '../kernel/secret.ts';
import type { Listing, PageRequest, Redemption, Storage } from '../storage/storage.ts';
import { redemptionStatuses } from '../vocabulary/statuses.ts';

/** The fields that an administrator may write. */
export type RedemptionFields = Written<typeof redemptionFields>;

export interface RedemptionDeps {
  readonly storage: Pick<Storage, 'redemptions'>;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Administration of redemption codes (docs/rules/payments.md#redemption-codes). */
export interface RedemptionService {
  page(filter: { keyword?: string; status?: number }, page: PageRequest): Promise<Listing<Redemption>>;
  get(id: number): Promise<Redemption>;
  /** Creates all or none. Returns the keys, 32 hex characters each. */
  createMany(actor: Actor, fields: RedemptionFields, count: number): Promise<readonly string[]>;
  /** Throws AppError code_not_unused unless the code is unused. */
  update(actor: Actor, id: number, change: Partial<RedemptionFields>): Promise<Redemption>;
  /** Disables an unused code or enables a disabled one. Throws AppError code_not_unused for a used code. */
  setStatus(actor: Actor, id: number, status: number): Promise<Redemption>;
  remove(actor: Actor, id: number): Promise<void>;
}

const maxCount = 100;

/** Converts from the field names of the API. */
export const readRedemptionInput = createInputReader(redemptionFields);
const checkEach = createFieldCheck(redemptionFields);

export function createRedemptionService({ storage, audit, clock, ids }: RedemptionDeps): RedemptionService {
  const { redemptions } = storage;

  const get = async (id: number): Promise<Redemption> => {
    const code = await redemptions.find(id);
    if (code === null) throw new AppError('not_found');
    return code;
  };

  /** `current`: the code being edited. */
  const checkTime = (expiredTime: number | undefined, current?: Redemption): void =>
    checkExpiry(redemptionFields.expired_time, expiredTime, { now: nowSeconds(clock), current: current?.expiredTime });

  return {
    get,
    page: (filter, page) => redemptions.page(filter, page),
    createMany: async (actor, fields, count) => {
      const checked = checkEach(fields);
      checkTime(checked.expiredTime);
      if (count < 1 || count > maxCount) throw new AppError('code_count_invalid', { max: maxCount });
      const createdTime = nowSeconds(clock);
      const keys = Array.from({ length: count }, () => ids.hex(16));
      await redemptions.insertMany(keys.map((key) => ({ userId: actor.id, key: new Secret(key), createdTime, ...checked })));
      const { name, ...detail } = checked;
      await audit.record(actor, 'redemption.create', name, { ...detail, count });
      return keys;
    },
    update: async (actor, id, fields) => {
      const change = checkEach(fields);
      checkTime(change.expiredTime, await get(id));
      if (!(await redemptions.update(id, change))) throw new AppError('code_not_unused');
      await audit.record(actor, 'redemption.update', id, change);
      return get(id);
    },
    setStatus: async (actor, id, status) => {
      const current = await get(id);
      if (status !== redemptionStatuses.unused && status !== redemptionStatuses.disabled) {
        throw new AppError('invalid_parameter', { field: 'status' });
      }
      if (current.status === redemptionStatuses.used) throw new AppError('code_not_unused');
      if (current.status !== status && !(await redemptions.setStatus(id, current.status, status)))
        throw new AppError('code_not_unused');
      await audit.record(actor, 'redemption.status', id, { from: current.status, to: status });
      return get(id);
    },
    remove: async (actor, id) => {
      if (!(await redemptions.softDelete(id, nowSeconds(clock)))) throw new AppError('not_found');
      await audit.record(actor, 'redemption.remove', id);
    },
  };
}
