/**
 * Submits a task: checked, priced, held in full, sent to one channel after another, charged once
 * (docs/rules/tasks.md#submit).
 */
import { ReplyFailure } from '../../canonical/kit/failure.ts';
import { TaskRefusal } from '../../canonical/kit/task-refusal.ts';
import type { TaskProvider, TaskSubmission } from '../../canonical/task-provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { readPrivate } from '../../tasks/task-private.ts';
import {
  finishedProgress,
  guardOf,
  reload,
  type TaskChange,
  type TaskRecord,
  updateRecord,
} from '../../tasks/task-record.ts';
import { buildCall, type UpstreamChannel } from '../../upstream/channel.ts';
import { maskOf } from '../../upstream/mask.ts';
import { clientPartOf } from '../admit/open-job.ts';
import { type Attempt, type AttemptResult, gatewayFailed, upstreamFailed } from '../attempt.ts';
import { isRetryable } from '../carry/retry.ts';
import { type AttemptDeps, type TriedJob, tryInTurn } from '../carry/run-attempts.ts';
import { type ClientWatch, departureError } from '../client/client-watch.ts';
import type { CallerContext } from '../context.ts';
import { asAppError, type Failure, type FinalError } from '../failure.ts';
import type { SubmitTask, SubmittedTask, TaskOrder, TaskPin } from '../task-call.ts';
import { checkOrder } from './check-order.ts';
import { isAmbiguous, isSafeToRetry, type LastExchange, submitEffects } from './submit-effects.ts';
import { acceptedChange, masked } from './submit-outcome.ts';
import { TaskBill } from './task-bill.ts';
import { openRow } from './task-row.ts';

/** The channel with the key that did the work before, while it has that key. */
function withPinnedKey(
  channel: UpstreamChannel,
  pin: TaskPin | undefined,
  deps: CallerContext['deps'],
): UpstreamChannel {
  const key = pin?.key?.reveal();
  if (key === undefined) return channel;
  return (
    deps.routing.find(channel.id)?.keys?.enabled.find((keyed) => keyed.key.reveal() === key) ??
    channel
  );
}

/** One submit from its hold to its end. */
class Submit {
  readonly #context: CallerContext;
  readonly #order: TaskOrder;
  readonly #bill: TaskBill;
  readonly #record: TaskRecord;
  readonly #signal: AbortSignal;
  /** How the last attempt's request ended. */
  #last: LastExchange = { ended: 'none', status: 0, readable: false };
  #refusal: TaskRefusal | undefined;
  #accepted: Extract<SubmittedTask, { kind: 'accepted' }> | undefined;
  #refused: FinalError | undefined;
  #lastChannel = 0;

  constructor(
    context: CallerContext,
    order: TaskOrder,
    bill: TaskBill,
    record: TaskRecord,
    signal: AbortSignal,
  ) {
    this.#context = context;
    this.#order = order;
    this.#bill = bill;
    this.#record = record;
    this.#signal = signal;
  }

  async run({ router, faults }: AttemptDeps): Promise<SubmittedTask> {
    const context = this.#context;
    const { platform, model, pin } = this.#order;
    const job: TriedJob = { ...context, model, stream: false, bill: this.#bill };
    const routed = {
      ...context,
      policy: { ...context.policy, affinity: null },
      model,
      format: { name: platform },
      ...(pin !== undefined && { pin: pin.channelId }),
    };
    const selector = router.begin(
      routed,
      (channel) => channel.provider.tasks?.platform === platform,
    );
    await tryInTurn(
      job,
      { faults, selector },
      {
        outlivesClient: true,
        attempt: (attempt) => this.#attempt(attempt),
        mayRetry: (failure, channel) => this.#mayRetry(failure, channel),
        refuse: async (error) => {
          this.#refused = error;
          await this.#markFailed(error.message);
        },
      },
    );
    if (this.#accepted !== undefined) return this.#accepted;
    if (this.#refused === undefined) throw new AppError('internal_error');
    return { kind: 'refused', error: this.#refused, reply: this.#refusal?.reply };
  }

  async #attempt(given: Attempt): Promise<AttemptResult> {
    const { deps, policy } = this.#context;
    const attempt = { ...given, channel: withPinnedKey(given.channel, this.#order.pin, deps) };
    const { channel } = attempt;
    const provider = channel.provider.tasks;
    this.#lastChannel = channel.id;
    this.#refusal = undefined;
    this.#last = { ended: 'none', status: 0, readable: false };
    if (provider === undefined)
      return gatewayFailed(new AppError('unsupported_operation', { detail: this.#order.platform }));
    try {
      const call = buildCall(
        channel,
        attempt.upstreamModel,
        clientPartOf(this.#context),
        policy.provider,
        deps.clock.now(),
      );
      const submission = await this.#send(provider, attempt, call);
      await this.#settle(attempt, submission);
      return { kind: 'served' };
    } catch (error) {
      if (error instanceof TaskRefusal) this.#refusal = masked(error, maskOf(channel));
      if (this.#last.ended !== 'none' && isAmbiguous(this.#last))
        this.#reportAmbiguous(channel.id, error);
      if (error instanceof ReplyFailure) return upstreamFailed(attempt, error.error);
      if (error instanceof AppError) return gatewayFailed(error);
      deps.logger.error({ error, channel: channel.id }, 'a task could not be submitted');
      return gatewayFailed(asAppError(error));
    }
  }

  #send(
    provider: TaskProvider,
    attempt: Attempt,
    call: Parameters<TaskProvider['submit']>[1],
  ): Promise<TaskSubmission> {
    const context = { ...this.#context, model: this.#order.model };
    const request = { signal: this.#signal, timeout: provider.submitTimeout };
    const effects = submitEffects(context, attempt, call, request);
    this.#last = effects.last;
    return provider.submit(this.#order.order, call, effects);
  }

  async #settle(attempt: Attempt, submission: TaskSubmission): Promise<void> {
    const { deps } = this.#context;
    const { judge } = this.#order;
    const record = this.#record;
    const verdict = judge === undefined ? 'charged' : await judge(submission, attempt.channel.id);
    if (verdict === 'duplicate') {
      await this.#bill.release();
      const { storage } = deps;
      await (record.table === 'tasks' ? storage.tasks : storage.midjourneys).removeUnsent(
        record.row.id,
      );
      this.#accepted = { kind: 'accepted', submission, record: undefined };
      return;
    }
    const taskName = record.table === 'tasks' ? record.row.taskId : submission.upstreamId;
    const now = deps.clock.now();
    const charged = { attempt, isCharged: verdict === 'charged', taskName, now };
    const charge = this.#bill.chargeOf(charged);
    const { row } = record;
    const earlier = row.quota;
    const change = acceptedChange(record, attempt, submission, deps.clock.now());
    const { charges: before = [] } = readPrivate(row.privateData);
    const guard = guardOf(
      deps.storage,
      record,
      submission.status,
      {
        ...change,
        // A window becomes the work that was ordered in it.
        action: this.#order.action,
        quota: earlier + charge.amount,
        private: {
          ...this.#bill.facts,
          ...change.private,
          charges: charge.amount > 0 ? [...before, charge] : before,
        },
      },
      deps.clock.now(),
    );
    try {
      await this.#bill.settle(charged, charge, guard);
    } catch (error) {
      deps.logger.error(
        { error, task: taskName, upstreamId: submission.upstreamId, channel: attempt.channel.id },
        'an upstream accepted a task that could not be charged',
      );
      // The sweep had ended the row by then.
      const isLate = error instanceof AppError && error.code === 'ledger_conflict';
      throw isLate ? new AppError('upstream_timeout', {}, { cause: error }) : error;
    }
    this.#accepted = {
      kind: 'accepted',
      submission,
      record: (await reload(deps.storage, record)) ?? record,
    };
  }

  /** Only where nothing can have been made upstream (docs/rules/tasks.md#retries). */
  #mayRetry(failure: Failure, channel: UpstreamChannel): boolean {
    if (this.#order.once === true || this.#order.pin !== undefined || this.#signal.aborted)
      return false;
    if (!isSafeToRetry(this.#last)) return false;
    if (failure.from === 'upstream') return isRetryable(failure, channel.provider);
    return this.#last.ended === 'unconnected' || failure.error.code === 'unsupported_feature';
  }

  #reportAmbiguous(channel: number, error: unknown): void {
    const { deps, requestId } = this.#context;
    deps.logger.error(
      // An upstream's words may hold its key.
      {
        ...(error instanceof AppError && { error }),
        requestId,
        channel,
        task: this.#record.row.id,
      },
      'it is unknown whether an upstream accepted a task; nothing was charged and no other channel was tried',
    );
  }

  /** A window that was not accepted waits for another submit. */
  async #markFailed(reason: string): Promise<void> {
    const { deps } = this.#context;
    const record = this.#record;
    if (record.row.status !== 'NOT_START') return;
    const change: TaskChange = {
      // In the upstream's own words, where it has some.
      failReason: this.#refusal?.error.message ?? reason,
      progress: finishedProgress,
      finishTime: deps.clock.now(),
      channelId: this.#lastChannel,
      drawing: this.#refusal?.drawing,
    };
    try {
      await updateRecord(deps.storage, record, 'FAILURE', change, deps.clock.now());
    } catch (error) {
      // The sweep ends it.
      deps.logger.error(
        { error, task: record.row.id },
        'a task that was refused could not be marked',
      );
    }
  }
}

/**
 * A submit that was sent ends also where its client leaves; only the end of the gateway cuts it
 * off.
 */
function untilStopped(client: ClientWatch): AbortSignal {
  const controller = new AbortController();
  client.onLeft((why) => {
    if (why === 'stopped') controller.abort(departureError(why));
  });
  return controller.signal;
}

export function createSubmitTask(attempts: AttemptDeps): SubmitTask {
  return async (context, order) => {
    const { client } = context;
    await checkOrder(context, order);
    if (client.departure !== undefined) throw departureError(client.departure);
    const bill = await TaskBill.open(context, order);
    let record: TaskRecord;
    try {
      record = await openRow(context, order, bill.facts);
    } catch (error) {
      await bill.release();
      throw error;
    }
    try {
      return await new Submit(context, order, bill, record, untilStopped(client)).run(attempts);
    } finally {
      client.onLeft(null);
      await bill.release();
    }
  };
}
