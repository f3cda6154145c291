import type { SettledLog, Settlement } from '../../storage/ledger/settlement.ts';

/**
 * Why an item can never be written, or undefined. Money, times and counts are safe integers: SQLite would store a fraction
 * as it is, PostgreSQL would refuse the whole batch, so both engines refuse the item here.
 */
export function findProblem(item: Settlement): string | undefined {
  switch (item.kind) {
    case 'charge':
      if (!(item.amount >= 0)) return 'a charge has a negative amount';
      return (
        notAnInteger('amount', item.amount) ??
        notAnInteger('at', item.at) ??
        (item.log === null ? undefined : findLogProblem(item.log)) ??
        (item.rollup === null
          ? undefined
          : (notAnInteger('rollup.hour', item.rollup.hour) ??
            notAnInteger('rollup.tokens', item.rollup.tokens) ??
            (item.rollup.cost === undefined ? undefined : notAnInteger('rollup.cost', item.rollup.cost))))
      );
    case 'posting':
      return (
        notAnInteger('amount', item.amount) ??
        notAnInteger('at', item.at) ??
        (item.log === null ? undefined : findLogProblem(item.log))
      );
    case 'allowance':
      return (
        notAnInteger('at', item.at) ?? (item.remainQuota === null ? undefined : notAnInteger('remainQuota', item.remainQuota))
      );
    case 'release':
      return undefined;
  }
}

function findLogProblem(log: SettledLog): string | undefined {
  return (
    notAnInteger('log.createdAt', log.createdAt) ??
    notAnInteger('log.quota', log.quota) ??
    notAnInteger('log.promptTokens', log.promptTokens) ??
    notAnInteger('log.completionTokens', log.completionTokens) ??
    notAnInteger('log.useTime', log.useTime)
  );
}

function notAnInteger(name: string, value: number): string | undefined {
  return Number.isSafeInteger(value) ? undefined : `${name} is not a safe integer: ${value}`;
}
