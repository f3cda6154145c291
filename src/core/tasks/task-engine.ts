/**
 * Ends tasks, each exactly once, whatever finds out that it ended: a poll, a notification, a read, a
 * time limit (docs/rules/tasks.md#completion).
 */
import type { Ledger, NewLog } from '../billing/ledger.ts';
import type { TaskReport } from '../canonical/task-provider.ts';
import type { Changes } from '../cluster/changes.ts';
import { type Language, translate } from '../i18n/translate.ts';
import type { Clock } from '../kernel/clock.ts';
import { parseObject } from '../kernel/json.ts';
import type { Logger } from '../kernel/logger.ts';
import type { WriteLog } from '../logs/write-log.ts';
import type { RefundedCharge } from '../storage/ledger/settlement.ts';
import type { Storage } from '../storage/storage.ts';
import { logTypes } from '../vocabulary/log-types.ts';
import { tokenStatuses } from '../vocabulary/statuses.ts';
import { failed, type JudgedReport, judgeReport } from './judge-report.ts';
import { overchargeOf } from './overcharge.ts';
import { factsOf, guardOf, reload, type TaskRecord, updateRecord } from './task-record.ts';
import type { UpstreamStates } from './upstream-states.ts';

/** Why a task ends without a word of its upstream; written in the site's language. */
export type EndReason = 'not_submitted' | 'timed_out' | 'channel_gone' | 'key_refused' | 'lost';

export interface TaskEngine {
  /**
   * Stores what an upstream reported of a task, with the refund if it failed: for a poll, a
   * notification and a read alike. False: nothing changed, because the report says nothing new, the
   * task is over, or another process was faster.
   */
  apply(task: TaskRecord, report: TaskReport): Promise<boolean>;
  /** Ends a task as failed, and refunds it. False: it is over already, or its state has changed. */
  fail(
    task: TaskRecord,
    reason: EndReason,
    params?: Readonly<Record<string, string | number>>,
  ): Promise<boolean>;
  /**
   * The task as it is now: an unfinished one is looked up at its upstream, at most once in five
   * seconds. What goes wrong with that is logged, and the stored state is returned.
   */
  refresh(task: TaskRecord): Promise<TaskRecord>;
}

export interface TaskEngineDeps {
  readonly storage: Pick<Storage, 'tasks' | 'midjourneys' | 'users' | 'tokens'>;
  readonly ledger: Pick<Ledger, 'refund'>;
  readonly writeLog: Pick<WriteLog, 'prepare'>;
  readonly changes: Pick<Changes, 'announce'>;
  readonly upstreams: UpstreamStates;
  readonly siteLanguage: () => Language;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Milliseconds in which a task is looked up once, however often it is read. */
const refreshEvery = 5000;
/** Tasks whose last look-up is remembered. */
const mostRemembered = 10_000;

export function createTaskEngine(deps: TaskEngineDeps): TaskEngine {
  const { storage, clock } = deps;
  const lookedUp = new Map<string, number>();

  const reasonText = (
    reason: EndReason | 'made_less',
    params: Readonly<Record<string, string | number>> = {},
  ): string => translate(deps.siteLanguage(), `task.${reason}`, params);

  /** The row of the usage log (docs/rules/tasks.md#refunds). */
  const refundLog = async (
    task: TaskRecord,
    judged: JudgedReport,
    charges: readonly RefundedCharge[],
    reason: string,
  ): Promise<NewLog> => {
    const quota = charges.reduce((sum, { amount }) => sum + amount, 0);
    const { row } = task;
    const { name, private: known } = factsOf(task);
    const owner = await storage.users.find(row.userId);
    const [charge] = charges;
    const log = deps.writeLog.prepare(
      { userId: row.userId, username: owner?.username ?? charge?.rollup?.username ?? '' },
      logTypes.system,
      judged.to === 'FAILURE' ? 'log.refunded' : 'log.partly_refunded',
      { quota, task: name },
    );
    return {
      ...log,
      quota,
      modelName: known.model ?? '',
      tokenId: charge?.tokenId ?? 0,
      tokenName: known.token_name ?? '',
      group: known.group ?? '',
      channelId: row.channelId,
      other: JSON.stringify({ ...parseObject(log.other), task_id: name, reason }),
    };
  };

  /**
   * The transaction that marks the row failed also takes its charges back, so that it is refunded
   * exactly once.
   */
  const refund = (task: TaskRecord, judged: JudgedReport): Promise<boolean> =>
    takeBack(task, judged, chargesOf(task), judged.change.failReason ?? '');

  const takeBack = async (
    task: TaskRecord,
    judged: JudgedReport,
    charges: readonly RefundedCharge[],
    reason: string,
  ): Promise<boolean> => {
    const { row } = task;
    const { to, change } = judged;
    const done = await deps.ledger.refund({
      userId: row.userId,
      charges,
      reference: factsOf(task).reference,
      log: await refundLog(task, judged, charges, reason),
      guard: guardOf(storage, task, to, change, clock.now()),
    });
    if (done) await Promise.all(charges.map(({ tokenId }) => reviveToken(tokenId)));
    return done;
  };

  /** A token that the charge used up can be used again. */
  const reviveToken = async (tokenId: number): Promise<void> => {
    const token = tokenId === 0 ? null : await storage.tokens.find(tokenId);
    if (token === null || token.status !== tokenStatuses.exhausted || token.remainQuota <= 0)
      return;
    if (await storage.tokens.setStatus(tokenId, tokenStatuses.exhausted, tokenStatuses.enabled))
      await deps.changes.announce('token', tokenId);
  };

  const write = (task: TaskRecord, judged: JudgedReport): Promise<boolean> =>
    judged.to === 'FAILURE' && task.row.quota > 0
      ? refund(task, judged)
      : updateRecord(storage, task, judged.to, judged.change, clock.now());

  const apply: TaskEngine['apply'] = async (task, report) => {
    const judged = judgeReport(task, report, clock.now(), reasonText);
    if (judged === undefined) return false;
    const over =
      judged.to === 'SUCCESS'
        ? overchargeOf(factsOf(task).private, report.measured ?? {})
        : undefined;
    if (over === undefined) return write(task, judged);
    const change = { ...judged.change, quota: task.row.quota - over.amount };
    return takeBack(task, { ...judged, change }, over.refunds, reasonText('made_less'));
  };

  /** False: it was looked up a moment ago. */
  const isDue = (task: TaskRecord): boolean => {
    const key = `${task.table} ${task.row.id}`;
    const now = clock.now();
    if (now - (lookedUp.get(key) ?? Number.NEGATIVE_INFINITY) < refreshEvery) return false;
    if (lookedUp.size >= mostRemembered) lookedUp.clear();
    lookedUp.set(key, now);
    return true;
  };

  return {
    apply,
    fail: async (task, reason, params) => {
      if (factsOf(task).isFinished) return false;
      return write(task, failed(reasonText(reason, params), clock.now()));
    },
    refresh: async (task) => {
      const { isFinished, upstreamId } = factsOf(task);
      if (isFinished || upstreamId === '' || !isDue(task)) return task;
      try {
        for (const [found, report] of await deps.upstreams.look([task])) await apply(found, report);
      } catch (error) {
        deps.logger.warn(
          { error, task: factsOf(task).name },
          'the state of a task could not be read',
        );
      }
      return (await reload(storage, task)) ?? task;
    },
  };
}

/** What the row was charged. Rows of older panels and versions say only how much. */
function chargesOf({ table, row }: TaskRecord): readonly RefundedCharge[] {
  const { charges = [] } = factsOf({ table, row } as TaskRecord).private;
  const total = charges.reduce((sum, { amount }) => sum + amount, 0);
  if (total === row.quota) return charges;
  return [
    {
      amount: row.quota,
      tokenId: 'tokenId' in row ? row.tokenId : 0,
      channelId: row.channelId,
      rollup: null,
    },
  ];
}
