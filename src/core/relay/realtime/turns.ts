/**
 * The money of a realtime connection (docs/rules/realtime.md#realtime-turns): each answer has its
 * own hold and its own charge, whenever it ends. One hold is kept ready between answers, so that no
 * answer begins without one.
 */

import { recordOf, textOf } from '../../canonical/kit/read-json.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { LogOther } from '../../contract/log-other.ts';
import { AppError } from '../../kernel/errors.ts';
import { requestId } from '../../kernel/request-id.ts';
import { nothingToCount } from '../../metering/countable.ts';
import { tokensOfSeconds } from '../../pricing/audio-tokens.ts';
import { authenticate } from '../admit/authenticate.ts';
import { checkChannels, chooseModel } from '../admit/open-job.ts';
import { type Attempt, servedSteps } from '../attempt.ts';
import type { Bill } from '../charge/bill.ts';
import { believable } from '../charge/charge.ts';
import type { CallerContext } from '../context.ts';
import type { RelayJob } from '../job.ts';
import { EndedIds } from './ended-ids.ts';
import { type RealtimeEvent, usageOfResponse, usageOfTranscript } from './events.ts';
import type { AnswerMeter, SessionMeter } from './session-meter.ts';
import { holdNext, holdTranscript } from './turn-holds.ts';

/** The hold that is kept for the next answer, with what it was made by. */
interface Ready {
  readonly bill: Bill;
  readonly context: CallerContext;
  readonly budgets: object;
}

/** Milliseconds after which it is made anew: rates are by the minute. */
const mostAge = 60_000;

interface Turn {
  readonly bill: Bill;
  readonly meter: AnswerMeter;
  readonly startedAt: number;
  firstByteAt: number | undefined;
}

/** Throws AppError session_channel_gone where the session's channel was taken from it. */
function requireServing(
  { channel: { id } }: Attempt,
  { deps, group, pin }: CallerContext,
  model: string,
): void {
  const isServing =
    pin === undefined
      ? deps.routing
          .tiers(group, model)
          .some(({ channels }) => channels.some((one) => one.id === id))
      : deps.routing.find(id) !== undefined;
  if (!isServing) throw new AppError('session_channel_gone');
}

/** The upstream's figures; a side that it left out is counted, with the audio measured here. */
function withOwnAudio(
  reported: Usage | undefined,
  { inputAudioTokens, outputAudioTokens, hasContent }: AnswerMeter,
): Usage {
  const hasPrompt = (reported?.promptTokens ?? 0) > 0;
  const hasCompletion =
    reported?.completionTokens !== undefined &&
    (reported.completionTokens > 0 || (hasPrompt && !hasContent));
  return {
    ...reported,
    ...(hasPrompt ? {} : { promptAudioTokens: inputAudioTokens }),
    ...(hasCompletion ? {} : { completionAudioTokens: outputAudioTokens }),
  };
}

export class Turns {
  readonly #job: RelayJob;
  readonly #meter: SessionMeter;
  readonly #open = new Map<string, Turn>();
  readonly #ended = new EndedIds();
  /** Charges that are being written. */
  readonly #settling = new Set<Promise<unknown>>();
  #ready: Ready | null;
  /** A hold is being looked at for an answer that begins. */
  #checking = false;
  #over = false;

  constructor(job: RelayJob, meter: SessionMeter, first: Bill) {
    this.#job = job;
    this.#meter = meter;
    this.#ready = this.#readyBy(job, first);
  }

  #readyBy(context: CallerContext, bill: Bill): Ready {
    return { bill, context, budgets: this.#job.deps.budgets.budgets() };
  }

  /** Answers under way, including those whose charge is being written. */
  get underWay(): number {
    return this.#open.size + this.#settling.size;
  }

  /**
   * Called before each frame of the client: makes sure that an answer to it has a hold. Rejects
   * like `authenticate` and `openBill`.
   */
  prepare(): Promise<void> | undefined {
    if (this.#ready !== null || this.#checking || this.underWay > 0) return undefined;
    return this.#hold();
  }

  /** The caller may have changed since the last answer, and so may prices. */
  async #caller(attempt?: Attempt): Promise<CallerContext> {
    const { deps, body } = this.#job;
    const startedAt = deps.clock.now();
    const request = {
      ...this.#job,
      policy: deps.policy(),
      startedAt,
      requestId: requestId(startedAt, deps.ids),
    };
    const caller = await authenticate(request);
    chooseModel(caller, body);
    // Who was moved to another group does not go on with what that group lacks.
    if (caller.group !== this.#job.group) await checkChannels(caller, this.#job.model);
    if (attempt !== undefined) requireServing(attempt, caller, this.#job.model);
    return caller;
  }

  async #hold(): Promise<void> {
    const context = await this.#caller();
    const bill = await holdNext(context, this.#job.model, this.#meter);
    if (this.#over || this.#ready !== null) await bill.release();
    else this.#ready = this.#readyBy(context, bill);
  }

  /** `response.created`. Rejects like {@link prepare}, and with AppError session_channel_gone. */
  async begin(id: string, attempt: Attempt): Promise<void> {
    if (this.#over || this.#open.has(id)) return;
    const bill = await this.#takeHold(attempt);
    if (this.#over) return bill.release();
    const startedAt = this.#job.deps.clock.now();
    this.#ended.delete(id);
    this.#open.set(id, {
      bill,
      meter: this.#meter.beginAnswer(),
      startedAt,
      firstByteAt: undefined,
    });
  }

  /** The hold that is ready, or another one where something changed since it was made. */
  async #takeHold(attempt: Attempt): Promise<Bill> {
    const ready = this.#ready;
    this.#ready = null;
    this.#checking = true;
    try {
      const caller = await this.#caller(attempt);
      if (ready !== null && (await this.#isAsBefore(ready, caller))) return ready.bill;
      await ready?.bill.release();
      return await holdNext(caller, this.#job.model, this.#meter);
    } catch (error) {
      await ready?.bill.release();
      throw error;
    } finally {
      this.#checking = false;
    }
  }

  /** Whether the hold would be the same now: token, user, options, prices, budgets and balance. */
  async #isAsBefore({ context, budgets }: Ready, now: CallerContext): Promise<boolean> {
    const { deps } = this.#job;
    const isSame =
      now.caller === context.caller &&
      now.policy === context.policy &&
      deps.budgets.budgets() === budgets &&
      now.startedAt - context.startedAt < mostAge;
    if (!isSame) return false;
    const { quota, held } = await deps.ledger.balance(now.caller.userId);
    return quota >= held;
  }

  /** A `….delta` event. */
  take(event: RealtimeEvent): void {
    const turn = this.#open.get(String(event.get('response_id')));
    if (turn === undefined) return;
    turn.firstByteAt ??= this.#job.deps.clock.now();
    turn.meter.take(event);
  }

  /** `response.done`: resolves when its charge is on disk. A repeated one changes nothing. */
  async finish(id: string, response: unknown, attempt: Attempt): Promise<void> {
    if (this.#ended.has(id)) return;
    await this.begin(id, attempt);
    const turn = this.#open.get(id);
    if (turn === undefined) return;
    if (textOf(recordOf(response)?.['id']) !== undefined) this.#ended.add(id);
    const usage = believable(usageOfResponse(response));
    const tokens = (usage?.promptTokens ?? 0) + (usage?.completionTokens ?? 0);
    // An answer that failed or was cancelled without content costs nothing, unless the upstream
    // reports usage.
    if (tokens === 0 && !turn.meter.hasContent && recordOf(response)?.['status'] !== 'completed') {
      this.#open.delete(id);
      return turn.bill.release();
    }
    await this.#settle(id, turn, attempt, usage, undefined);
  }

  /**
   * The client's speech was transcribed. That is charged apart from answers: a session may only
   * transcribe. Resolves when the charge is on disk. Rejects like {@link prepare}.
   */
  async transcribed({ get }: RealtimeEvent, attempt: Attempt): Promise<void> {
    const item = textOf(get('item_id'));
    const name = `${item} ${String(get('content_index'))}`;
    if (this.#ended.has(name)) return;
    if (item !== undefined) this.#ended.add(name);
    const ours = {
      promptTokens: tokensOfSeconds(this.#meter.takeUntranscribed()),
      completionTokens: 0,
    };
    const usage = believable(usageOfTranscript(get('usage')));
    const caller = await this.#caller();
    const bill = await holdTranscript(
      caller,
      this.#meter.transcriber ?? this.#job.model,
      this.#job.model,
      usage ?? ours,
      ours,
    );
    const { deps } = this.#job;
    await this.#write(
      bill.settle({
        channel: attempt.channel,
        upstreamModel: attempt.upstreamModel,
        usage,
        input: () => nothingToCount,
        output: () => nothingToCount,
        stream: true,
        startedAt: caller.startedAt,
        steps: servedSteps(attempt, deps.clock.now()),
      }),
    );
  }

  #write(charge: Promise<unknown>): Promise<unknown> {
    const written: Promise<unknown> = charge.finally(() => this.#settling.delete(written));
    this.#settling.add(written);
    return written;
  }

  #settle(
    id: string,
    turn: Turn,
    attempt: Attempt,
    usage: Usage | undefined,
    ended: LogOther['ended'],
  ): Promise<unknown> {
    this.#open.delete(id);
    this.#meter.noteUsage({ ...turn.meter.estimate(), ...usage });
    const now = this.#job.deps.clock.now();
    const charge = turn.bill.settle({
      channel: attempt.channel,
      upstreamModel: attempt.upstreamModel,
      usage: withOwnAudio(usage, turn.meter),
      input: () => turn.meter.input(),
      output: () => turn.meter.output(),
      stream: true,
      startedAt: turn.startedAt,
      ...(turn.firstByteAt === undefined ? {} : { firstByteAt: turn.firstByteAt }),
      ...(ended === undefined ? {} : { ended }),
      steps: servedSteps(attempt, now),
    });
    return this.#write(charge);
  }

  /**
   * The connection is over: answers under way are charged as far as they came, the ready hold is
   * released.
   */
  async close(attempt: Attempt | undefined, ended: LogOther['ended']): Promise<void> {
    this.#over = true;
    for (const [id, turn] of this.#open) {
      // No answer begins without an attempt.
      if (attempt === undefined) break;
      this.#settle(id, turn, attempt, undefined, ended).catch((error: unknown) => {
        const { deps, requestId: connection } = this.#job;
        deps.logger.error({ error, requestId: connection }, 'an answer could not be settled');
      });
    }
    const ready = this.#ready;
    this.#ready = null;
    await Promise.allSettled([...this.#settling, ready?.bill.release()]);
  }
}
