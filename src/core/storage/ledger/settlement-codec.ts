/**
 * Settlements and their results as flat lists of values. They cross to another thread for every request, and an object that
 * crosses is copied key by key.
 */
import type { ChargeSettlement, SettledLog, Settlement, SettlementResult } from './settlement.ts';

/** Values of the items, one after the other. */
export type PackedList = readonly unknown[];

type Rollup = NonNullable<ChargeSettlement['rollup']>;

/** Keys of `T`, each of them: a forgotten one is an error of types. */
const everyKeyOf =
  <T>() =>
  <const K extends readonly (keyof T & string)[]>(...keys: Exclude<keyof T, K[number]> extends never ? K : never): K =>
    keys;

/** Nearly all charges have a log row and a rollup, and no guard. */
type PackedCharge = Omit<ChargeSettlement, 'kind' | 'log' | 'rollup' | 'guard'>;

const chargeKeys = everyKeyOf<PackedCharge>()('requestId', 'userId', 'tokenId', 'channelId', 'amount', 'at');
const logKeys = everyKeyOf<SettledLog>()(
  'userId',
  'username',
  'createdAt',
  'type',
  'content',
  'tokenName',
  'tokenId',
  'modelName',
  'quota',
  'promptTokens',
  'completionTokens',
  'useTime',
  'isStream',
  'channelId',
  'group',
  'requestId',
  'other',
);
const rollupKeys = everyKeyOf<Rollup>()('modelName', 'username', 'hour', 'tokens', 'cost');
const valuesOfCharge = chargeKeys.length + logKeys.length + rollupKeys.length;

function pushValues<T>(list: unknown[], keys: readonly (keyof T)[], item: T): void {
  for (const key of keys) list.push(item[key]);
}

function readValues<T>(list: PackedList, from: number, keys: readonly (keyof T & string)[]): T {
  const item: Record<string, unknown> = {};
  for (let index = 0; index < keys.length; index += 1) item[keys[index] as string] = list[from + index];
  return item as T;
}

/** Charges with a log row, a rollup and no guard, which nearly all are, become values; any other item stays an object. */
export function packSettlements(batch: readonly Settlement[]): PackedList {
  const list: unknown[] = [];
  for (const item of batch) {
    if (item.kind === 'charge' && item.log !== null && item.rollup !== null && item.guard === undefined) {
      pushValues(list, chargeKeys, item);
      pushValues(list, logKeys, item.log);
      pushValues(list, rollupKeys, item.rollup);
    } else list.push(item);
  }
  return list;
}

export function unpackSettlements(list: PackedList): readonly Settlement[] {
  const batch: Settlement[] = [];
  for (let at = 0; at < list.length; ) {
    const first = list[at];
    // The first value of a charge is a text.
    if (typeof first === 'object') {
      batch.push(first as Settlement);
      at += 1;
    } else {
      const logAt = at + chargeKeys.length;
      batch.push({
        kind: 'charge',
        ...readValues<PackedCharge>(list, at, chargeKeys),
        log: readValues<SettledLog>(list, logAt, logKeys),
        rollup: readValues<Rollup>(list, logAt + logKeys.length, rollupKeys),
      });
      at += valuesOfCharge;
    }
  }
  return batch;
}

/** The result of a charge becomes three values, as that of most others. */
export function packResults(results: readonly SettlementResult[]): PackedList {
  const list: unknown[] = [];
  for (const result of results) {
    if (result.refused === undefined && result.overLimit === undefined && result.remains === undefined)
      list.push(result.done, result.balance, result.remain);
    else list.push(result);
  }
  return list;
}

export function unpackResults(list: PackedList): readonly SettlementResult[] {
  const results: SettlementResult[] = [];
  for (let at = 0; at < list.length; ) {
    const first = list[at];
    if (typeof first === 'boolean') {
      const remain = list[at + 2] as number | undefined;
      results.push({ done: first, balance: list[at + 1] as number, ...(remain !== undefined && { remain }) });
      at += 3;
    } else {
      results.push(first as SettlementResult);
      at += 1;
    }
  }
  return results;
}
