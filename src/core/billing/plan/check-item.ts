import type {
  ChargeRollup,
  ChargeSettlement,
  RefundedCharge,
  SettledLog,
  Settlement,
} from '../../storage/ledger/settlement.ts';

/**
 * Why an item can never be written, or undefined. Money, times and counts are safe integers: SQLite
 * would store a fraction as it is, PostgreSQL would refuse the whole batch, so both engines refuse
 * the item here.
 */
export function findProblem(item: Settlement): string | undefined {
  switch (item.kind) {
    case 'charge':
      if (!(item.amount >= 0)) return 'a charge has a negative amount';
      return (
        notAnInteger('amount', item.amount) ??
        notAnInteger('at', item.at) ??
        (item.log === null ? undefined : findLogProblem(item.log)) ??
        findRollupProblem(item.rollup)
      );
    case 'posting':
      return (
        notAnInteger('amount', item.amount) ??
        notAnInteger('at', item.at) ??
        (item.log === null ? undefined : findLogProblem(item.log))
      );
    case 'refund':
      return (
        notAnInteger('at', item.at) ??
        (item.log === null ? undefined : findLogProblem(item.log)) ??
        findChargesProblem(item.charges)
      );
    case 'allowance':
      return (
        notAnInteger('at', item.at) ??
        (item.remainQuota === null ? undefined : notAnInteger('remainQuota', item.remainQuota))
      );
    case 'release':
      return undefined;
  }
}

/**
 * Whether neither the rules nor the database can refuse the charge. It may still be capped
 * (docs/rules/ledger.md#quota-range).
 */
export function isCertain(charge: ChargeSettlement): boolean {
  const { guard, log, rollup } = charge;
  return (
    guard === undefined && findProblem(charge) === undefined && hasValues(log) && hasValues(rollup)
  );
}

/** No column of a log row or an hourly sum may be null; `cost` is no column. */
function hasValues(row: SettledLog | ChargeRollup | null): boolean {
  if (row === null) return true;
  // Object.entries would copy the row.
  for (const key in row)
    if (key !== 'cost' && (row[key as keyof typeof row] ?? null) === null) return false;
  return true;
}

function findChargesProblem(charges: readonly RefundedCharge[]): string | undefined {
  for (const { amount, rollup } of charges) {
    if (!(amount >= 0)) return 'a charge that is taken back has a negative amount';
    const problem = notAnInteger('amount', amount) ?? findRollupProblem(rollup);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function findRollupProblem(rollup: ChargeRollup | null): string | undefined {
  if (rollup === null) return undefined;
  const { hour, tokens, cost } = rollup;
  return (
    notAnInteger('rollup.hour', hour) ??
    notAnInteger('rollup.tokens', tokens) ??
    (cost === undefined ? undefined : notAnInteger('rollup.cost', cost))
  );
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
