/** What a report of an upstream changes in a row (docs/rules/tasks.md#states). Pure. */

import { isDeepStrictEqual } from 'node:util';
import type { TaskReport } from '../canonical/task-provider.ts';
import { parseJson } from '../kernel/json.ts';
import { factsOf, finishedProgress, type TaskChange, type TaskRecord } from './task-record.ts';

export interface JudgedReport {
  readonly to: string;
  readonly change: TaskChange;
}

/** Percent of a state whose upstream names none. */
const percents: Readonly<Record<string, number>> = { SUBMITTED: 10, QUEUED: 20, IN_PROGRESS: 30 };
/** A report that comes late does not take a task back to an earlier state. */
const order = ['', 'NOT_START', 'SUBMITTED', 'QUEUED', 'IN_PROGRESS'];
/** Polls in which the upstream does not know a task, and the age in ms, after which it is lost. */
const mostLost = 3;
const lostAfter = 23 * 3_600_000;

/**
 * Why a task failed without the upstream saying so; the engine writes it in the site's language.
 */
export type OwnReason = 'lost';

/** Undefined: the report says nothing new. */
export function judgeReport(
  record: TaskRecord,
  report: TaskReport,
  now: number,
  reasonFor: (reason: OwnReason) => string,
): JudgedReport | undefined {
  const facts = factsOf(record);
  const {
    status,
    failReason = '',
    progress,
    startTime,
    resultUrl,
    upstreamId: _id,
    measured: _measured,
    ...rest
  } = report;
  if (facts.isFinished) return undefined;
  const known = facts.private;
  const refused = (known.poll_errors ?? 0) > 0 ? { poll_errors: 0 } : {};
  if (status === 'LOST') {
    const lost = (known.lost ?? 0) + 1;
    const isGone = lost >= mostLost || now - facts.submittedAt > lostAfter;
    return isGone
      ? failed(reasonFor('lost'), now)
      : { to: facts.status, change: { private: { ...refused, lost } } };
  }
  if (status === 'FAILURE' || (failReason !== '' && status !== 'SUCCESS')) {
    const { finishTime = now } = rest;
    return failed(failReason, finishTime, { ...rest, ...(startTime && { startTime }) });
  }
  const to = status === undefined || isEarlier(status, facts.status) ? facts.status : status;
  const began =
    record.row.startTime === 0 && (to === 'IN_PROGRESS' || to === 'SUCCESS') ? now : undefined;
  const isDone = to === 'SUCCESS';
  const noted = {
    ...refused,
    ...(known.lost ? { lost: 0 } : {}),
    ...(resultUrl !== undefined && resultUrl !== known.result_url && { result_url: resultUrl }),
  };
  const change: TaskChange = {
    ...rest,
    ...((startTime || began) && { startTime: startTime || began }),
    ...(isDone && { finishTime: rest.finishTime || now }),
    progress: isDone ? finishedProgress : percentText(progress ?? percents[to], facts.progress),
    // Written only where it changes: another process may be changing it.
    ...(Object.keys(noted).length > 0 && { private: noted }),
  };
  return isSame(record, to, change) ? undefined : { to, change };
}

/** The end of a task that failed. */
export function failed(
  failReason: string,
  finishTime: number,
  change: TaskChange = {},
): JudgedReport {
  return {
    to: 'FAILURE',
    change: { ...change, failReason, finishTime, progress: finishedProgress, quota: 0 },
  };
}

function isEarlier(reported: string, stored: string): boolean {
  const at = order.indexOf(reported);
  return at !== -1 && at < order.indexOf(stored);
}

/** Unfinished work is never at 100%. */
function percentText(percent: number | undefined, stored: string): string {
  if (percent === undefined || !Number.isFinite(percent)) return stored === '' ? '0%' : stored;
  return `${Math.min(Math.max(Math.floor(percent), 0), 99)}%`;
}

function isSame({ row, table }: TaskRecord, to: string, change: TaskChange): boolean {
  if (to !== row.status || change.progress !== row.progress) return false;
  if (change.private !== undefined || change.finishTime !== undefined) return false;
  if (change.startTime !== undefined && row.startTime === 0) return false;
  if (table === 'tasks')
    return change.data === undefined || isDeepStrictEqual(change.data, parseJson(row.data));
  const stored: Readonly<Record<string, unknown>> = { ...row };
  return Object.entries(change.drawing ?? {}).every(
    ([field, value]) => value === undefined || stored[field] === value,
  );
}
