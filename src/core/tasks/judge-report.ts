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

/** Milliseconds by which an upstream's clock may differ from ours. */
const clockDrift = 600_000;

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
    return failed(failReason, endOf(rest.finishTime, facts.submittedAt, now), {
      ...rest,
      ...(startTime && { startTime }),
    });
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
    ...(isDone && { finishTime: endOf(rest.finishTime, facts.submittedAt, now) }),
    progress: isDone ? finishedProgress : percentText(progress, percents[to], facts.progress),
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

/**
 * How long a result lasts is counted from here, so a time that cannot be that of the end does not
 * count.
 */
function endOf(reported: number | undefined, submittedAt: number, now: number): number {
  const isPossible =
    reported !== undefined && reported >= submittedAt - clockDrift && reported <= now + clockDrift;
  return isPossible ? reported : now;
}

/**
 * Unfinished work is never at 100%. A report that names no percentage does not take back an earlier
 * one.
 */
function percentText(
  reported: number | undefined,
  ofState: number | undefined,
  stored: string,
): string {
  const known = Number.parseInt(stored, 10) || 0;
  const percent =
    reported !== undefined && Number.isFinite(reported) ? reported : Math.max(ofState ?? 0, known);
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
