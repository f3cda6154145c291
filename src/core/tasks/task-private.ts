/**
 * What only the gateway knows of a task: JSON in the sealed column `private_data`. Members of
 * others (what a platform stores beside) are kept.
 */
import { isObject, parseObject } from '../kernel/json.ts';
import type { RefundedCharge } from '../storage/ledger/settlement.ts';

export interface TaskPrivate {
  /** The upstream's id of a row of `tasks`; drawings have it in `mj_id`. */
  readonly upstream_task_id?: string;
  /** The key that submitted it: states are read with the same one. */
  readonly key?: string;
  readonly group?: string;
  readonly token_name?: string;
  readonly model?: string;
  readonly upstream_model?: string;
  /** Currency units per call, and what multiplied them. */
  readonly model_price?: string;
  readonly group_ratio?: string;
  readonly ratios?: Readonly<Record<string, string>>;
  readonly quota_per_unit?: string;
  /** Where the upstream has the result. */
  readonly result_url?: string;
  /** What was charged: as many charges as the row was paid for. */
  readonly charges?: readonly RefundedCharge[];
  /**
   * Polls in a row that its key was refused for, and in which the upstream did not know the task.
   */
  readonly poll_errors?: number;
  readonly lost?: number;
}

/** Anything but a valid object, as imported rows may have it, counts as empty. */
export function readPrivate(text: string): TaskPrivate {
  const value = parseObject(text) ?? {};
  const { charges } = value;
  return { ...value, charges: Array.isArray(charges) ? charges.filter(isCharge) : [] };
}

function isCharge(value: unknown): value is RefundedCharge {
  return (
    isObject(value) &&
    Number.isSafeInteger(value['amount']) &&
    Number.isSafeInteger(value['tokenId'])
  );
}

export function writePrivate(value: TaskPrivate): string {
  return JSON.stringify(value);
}
