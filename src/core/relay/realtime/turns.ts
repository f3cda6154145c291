/**
 * The money of a realtime connection (docs/rules/realtime.md#realtime-turns): each answer has its
 * own hold and its own charge, whenever it ends. One hold is kept ready between answers, so that no
 * answer begins without one.
 */

import { recordOf } from '../../canonical/kit/read-json.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { LogOther } from '../../contract/log-other.ts';
import { requestId } from '../../kernel/request-id.ts';
import { nothingToCount } from '../../metering/countable.ts';
import { tokensOfSeconds } from '../../pricing/audio-tokens.ts';
import { findPrice } from '../../pricing/find-price.ts';
import { authenticate } from '../admit/authenticate.ts';
import { checkChannels, chooseModel } from '../admit/open-job.ts';
import { type Attempt, servedSteps } from '../attempt.ts';
import { type Bill, openBill } from '../charge/bill.ts';
import { believable } from '../charge/charge.ts';
import type { CallerContext } from '../context.ts';
import { openAiRealtime } from '../formats/openai-realtime/index.ts';
import type { CallMeasure } from '../formats/shared/measure.ts';
import type { RelayJob } from '../job.ts';
import { type RealtimeEvent, usageOfResponse, usageOfTranscript } from './events.ts';
import type { AnswerMeter, SessionMeter } from './session-meter.ts';

interface Turn {
  readonly bill: Bill;
  readonly meter: AnswerMeter;
  readonly startedAt: number;
  firstByteAt: number | undefined;
}

/**
 * Holds what the next answer may cost. Throws AppError model_price_error and what the ledger
 * throws.
 */
export function holdNext(
  context: CallerContext,
  model: string,
  meter: SessionMeter,
): Promise<Bill> {
  const expected = meter.expected();
  const { promptTokens = 0, completionTokens: outputTokens = 0 } = expected;
  const measure: CallMeasure = { promptTokens, outputTokens, expected, realtime: true };
  return openBill(context, {
    format: openAiRealtime,
    model,
    promptTokens,
    maxOutputTokens: undefined,
    measure,
  });
}

/**
 * At the price of the transcribing model where it has one, else of `otherwise`, the session's
 * model.
 */
async function holdTranscript(
  context: CallerContext,
  model: string,
  otherwise: string,
  expected: Usage,
  ours: Usage,
): Promise<Bill> {
  const { promptTokens = 0, completionTokens: outputTokens = 0 } = expected;
  const usageOf = (reported: Usage | undefined) =>
    (reported?.promptTokens ?? 0) > 0
      ? { ...reported, completionTokens: reported?.completionTokens ?? 0 }
      : ours;
  const measure: CallMeasure = { promptTokens, outputTokens, realtime: true, usageOf };
  const price = findPrice(model, context.policy.prices, { perSecond: false });
  return openBill(context, {
    format: openAiRealtime,
    model: price === undefined ? otherwise : model,
    promptTokens,
    maxOutputTokens: undefined,
    measure,
    unrated: true,
  });
}

/** The upstream's figures; a side that it left out is counted, with the audio measured here. */
function withOwnAudio(
  reported: Usage | undefined,
  { inputAudioTokens, outputAudioTokens }: AnswerMeter,
): Usage {
  const hasPrompt = (reported?.promptTokens ?? 0) > 0;
  const hasCompletion =
    reported?.completionTokens !== undefined && (reported.completionTokens > 0 || hasPrompt);
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
  /** Charges that are being written. */
  readonly #settling = new Set<Promise<unknown>>();
  #ready: Bill | null;
  #over = false;

  constructor(job: RelayJob, meter: SessionMeter, first: Bill) {
    this.#job = job;
    this.#meter = meter;
    this.#ready = first;
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
    if (this.#ready !== null || this.underWay > 0) return undefined;
    return this.#hold();
  }

  /** The caller may have changed since the last answer, and so may prices. */
  async #caller(): Promise<CallerContext> {
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
    return caller;
  }

  async #hold(): Promise<void> {
    const bill = await holdNext(await this.#caller(), this.#job.model, this.#meter);
    if (this.#over || this.#ready !== null) await bill.release();
    else this.#ready = bill;
  }

  /** `response.created`. Rejects like {@link prepare}. */
  begin(id: string): Promise<void> | undefined {
    if (this.#over || this.#open.has(id)) return undefined;
    const bill = this.#ready;
    if (bill === null) return this.#hold().then(() => this.begin(id));
    this.#ready = null;
    const startedAt = this.#job.deps.clock.now();
    this.#open.set(id, {
      bill,
      meter: this.#meter.beginAnswer(),
      startedAt,
      firstByteAt: undefined,
    });
    return undefined;
  }

  /** A `….delta` event. */
  take(event: RealtimeEvent): void {
    const turn = this.#open.get(String(event.get('response_id')));
    if (turn === undefined) return;
    turn.firstByteAt ??= this.#job.deps.clock.now();
    turn.meter.take(event);
  }

  /** `response.done`: resolves when its charge is on disk. */
  async finish(id: string, response: unknown, attempt: Attempt): Promise<void> {
    await this.begin(id);
    const turn = this.#open.get(id);
    if (turn === undefined) return;
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
  async transcribed(reported: unknown, attempt: Attempt): Promise<void> {
    const ours = {
      promptTokens: tokensOfSeconds(this.#meter.takeUntranscribed()),
      completionTokens: 0,
    };
    const usage = believable(usageOfTranscript(reported));
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
    await Promise.allSettled([...this.#settling, ready?.release()]);
  }
}
