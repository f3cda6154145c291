/**
 * The hourly sums: releases of 2026 have several rows per user, model and hour, which are added up.
 */
import { AppError } from '../kernel/errors.ts';
import { clampQuota } from '../kernel/quota.ts';
import { toBigInt, toInteger, toTrimmed } from './convert.ts';
import { Notes } from './notes.ts';
import type { ProofLine } from './report.ts';
import type { TableResult, TableRun } from './table-import.ts';

const table = 'quota_data';
const counters = ['token_used', 'count', 'quota'] as const;
const hour = 3600;

interface HourSum {
  readonly key: {
    readonly user_id: number;
    readonly username: string;
    readonly model_name: string;
    readonly created_at: number;
  };
  readonly sums: Record<(typeof counters)[number], bigint>;
}

/** Sums are written only where there are none yet: those of a running site are its own. */
export async function importQuotaData(run: TableRun): Promise<TableResult> {
  const { source, storage, signal } = run;
  const notes = new Notes();
  const before = await storage?.imports.figures(table, counters);
  const total = await source.count(table);
  const isThere = before !== undefined && before.count > 0;
  const hours = new Map<string, HourSum>();
  let read = 0;
  if (!isThere) {
    for await (const rows of source.rows(table, 'id', run.batch)) {
      if (signal.aborted) throw new AppError('import_interrupted');
      for (const row of rows) {
        const at = toInteger(row['created_at']);
        const key = {
          user_id: toInteger(row['user_id']),
          username: toTrimmed(row['username']),
          model_name: toTrimmed(row['model_name']),
          created_at: at - (at % hour),
        };
        const name = JSON.stringify(key);
        const known = hours.get(name) ?? { key, sums: { token_used: 0n, count: 0n, quota: 0n } };
        for (const counter of counters) known.sums[counter] += toBigInt(row[counter]);
        hours.set(name, known);
      }
      read += rows.length;
      run.progress(table, read, total);
    }
  }
  const summed = read - hours.size;
  if (summed > 0) notes.add('rows_summed', `${read} → ${hours.size}`, summed);
  const changes = { token_used: 0n, count: 0n, quota: 0n };
  const bounded = ({ key, sums }: HourSum, counter: (typeof counters)[number]): number => {
    const amount = clampQuota(sums[counter]);
    if (BigInt(amount) !== sums[counter])
      notes.add('number_out_of_range', `user ${key.user_id} ${counter}`);
    changes[counter] += BigInt(amount) - sums[counter];
    return amount;
  };
  const written = [...hours.values()].map((hourSum) => ({
    ...hourSum.key,
    token_used: bounded(hourSum, 'token_used'),
    count: bounded(hourSum, 'count'),
    quota: bounded(hourSum, 'quota'),
  }));
  await storage?.imports.insert(table, written);
  const report = {
    table,
    read: total,
    carried: read,
    leftOut: 0,
    alreadyThere: total - read,
    notes: notes.list(),
  };
  if (storage === null || before === undefined || isThere)
    return { report, proof: [], usersCompared: 0 };
  const after = await storage.imports.figures(table, counters);
  const proof: ProofLine[] = [
    { table, figure: 'rows', expected: BigInt(hours.size), found: BigInt(after.count) },
  ];
  for (const figure of counters) {
    proof.push({
      table,
      figure,
      expected: (await source.sum(table, figure)) + changes[figure],
      found: after.sums[figure] ?? 0n,
    });
  }
  return { report, proof, usersCompared: 0 };
}
