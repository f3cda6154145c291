import type { Audit } from '../audit/audit-log.ts';
import type { Actor } from '../kernel/actor.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import { toQuota } from '../kernel/quota.ts';
import type { Listing, PageRequest, Redemption, Storage } from '../storage/storage.ts';
import { redemptionStatuses } from '../vocabulary/statuses.ts';

export interface RedemptionDeps {
  readonly storage: Pick<Storage, 'redemptions'>;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Redemption codes as administrators handle them (docs/rules/payments.md#redemption-codes). */
export interface RedemptionService {
  page(filter: { keyword?: string; status?: number }, page: PageRequest): Promise<Listing<Redemption>>;
  get(id: number): Promise<Redemption>;
  /** All or none. Returns the keys: 32 hex characters each. */
  createMany(actor: Actor, batch: { name: string; quota: number; count: number }): Promise<readonly string[]>;
  /** Only while unused: AppError code_not_unused. */
  update(actor: Actor, id: number, change: { name?: string; quota?: number }): Promise<Redemption>;
  /** Unused to disabled and back; a used code is refused. */
  setStatus(actor: Actor, id: number, status: number): Promise<Redemption>;
  remove(actor: Actor, id: number): Promise<void>;
}

const maxCount = 100;
const maxNameCharacters = 20;

export function createRedemptionService({ storage, audit, clock, ids }: RedemptionDeps): RedemptionService {
  const { redemptions } = storage;

  const get = async (id: number): Promise<Redemption> => {
    const code = await redemptions.find(id);
    if (code === null) throw new AppError('not_found');
    return code;
  };

  return {
    get,
    page: (filter, page) => redemptions.page(filter, page),
    createMany: async (actor, { name, quota, count }) => {
      const shownName = readName(name);
      const amount = readQuota(quota);
      if (count < 1 || count > maxCount) throw new AppError('code_count_invalid', { max: maxCount });
      const createdTime = nowSeconds(clock);
      const keys = Array.from({ length: count }, () => ids.hex(16));
      await redemptions.insertMany(keys.map((key) => ({ userId: actor.id, key, name: shownName, quota: amount, createdTime })));
      await audit.record(actor, 'redemption.create', shownName, { quota, count });
      return keys;
    },
    update: async (actor, id, { name, quota }) => {
      const current = await get(id);
      const change = {
        name: name === undefined ? current.name : readName(name),
        quota: quota === undefined ? current.quota : readQuota(quota),
      };
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

/** 1–20 characters, not bytes (docs/rules/payments.md#redemption-codes). */
function readName(name: string): string {
  const trimmed = name.trim();
  const length = [...trimmed].length;
  if (length < 1 || length > maxNameCharacters) throw new AppError('code_name_invalid', { min: 1, max: maxNameCharacters });
  return trimmed;
}

function readQuota(quota: number) {
  if (!Number.isSafeInteger(quota) || quota < 0) throw new AppError('code_quota_invalid');
  return toQuota(quota);
}
