/**
 * `POST /v1/responses` with `background: true` (docs/rules/responses.md#background): admitted and
 * held for like any request, and then worked on whether its client stays or not.
 */
import { nowSeconds } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import { notingSettlement } from '../admit/keep-response.ts';
import { openJobFor } from '../admit/open-job.ts';
import { fieldError } from '../admit/read-format-body.ts';
import { readCallerBody } from '../body/body-fields.ts';
import type { RequestBody } from '../body/request-body.ts';
import { type StoppableWatch, watchClient } from '../client/client-watch.ts';
import { FrameReply } from '../client/frame-reply.ts';
import type { CallerContext } from '../context.ts';
import { asAppError, describeToCaller } from '../failure.ts';
import type { WireError } from '../formats/families/api-family.ts';
import {
  backgroundEdits,
  queuedResponse,
  readStep,
} from '../formats/openai-responses/background.ts';
import { failedResponse } from '../formats/openai-responses/object.ts';
import { finishedResponse } from '../formats/openai-responses/state.ts';
import type { CallerFormat } from '../formats/shared/caller-format.ts';
import type { RelayJob } from '../job.ts';
import { idHeaders, sendJson } from '../reply.ts';
import type { BackgroundRun } from '../stored-responses/background-run.ts';
import { sendEvents } from './send-events.ts';

export interface BackgroundDeps {
  /** Serves the job or sends its error. */
  readonly serveJob: (job: RelayJob) => Promise<void>;
  /** Work that goes on after its request: the gateway waits for it when it stops. */
  readonly detach: (client: StoppableWatch, work: () => Promise<void>) => void;
}

/** Throws AppError background_not_stored, too_many_background, and what openJobFor throws. */
export async function serveBackground(
  caller: CallerContext,
  format: CallerFormat,
  given: RequestBody,
  deps: BackgroundDeps,
): Promise<void> {
  if (given.get('store') === false) throw new AppError('background_not_stored');
  const work = new BackgroundWork(caller);
  try {
    await work.open(format, given);
  } catch (error) {
    await work.abandon();
    throw fieldError(error);
  }
  const { id, client } = work;
  deps.detach(client, () => work.run(deps.serveJob));
  if (given.get('stream') === true) return sendEvents(caller, id, -1);
  sendJson(caller.response, 200, work.head, idHeaders(caller.requestId));
}

/** The reply that nobody waits for: its events become those of the run. */
class BackgroundWork {
  readonly id: string;
  readonly client: StoppableWatch;
  readonly #caller: CallerContext;
  readonly #reply: FrameReply;
  #job: RelayJob | undefined;
  #started: BackgroundRun | undefined;
  #ended: ReturnType<typeof readStep> | undefined;

  constructor(caller: CallerContext) {
    const { deps } = caller;
    this.id = `resp_${deps.ids.alphanumeric(24)}`;
    this.#reply = new FrameReply({
      send: (frame) => this.#note(frame),
      completed: () => undefined,
    });
    this.client = watchClient(this.#reply);
    const memory = deps.memory.open(caller.caller.userId);
    this.#caller = { ...caller, response: this.#reply, client: this.client, memory };
  }

  get #run(): BackgroundRun {
    if (this.#started === undefined) throw new AppError('internal_error');
    return this.#started;
  }

  get head() {
    return this.#run.head;
  }

  /** Reads, holds and stores. When it throws, `abandon` gives back what was held. */
  async open(format: CallerFormat, given: RequestBody): Promise<void> {
    const { deps, caller, memory } = this.#caller;
    const { bytes } = given.write(backgroundEdits);
    memory.takeBody(bytes.length);
    // Kept here, by this run.
    const state = format.state && { ...format.state, keeps: () => false };
    const job = await openJobFor(this.#caller, { ...format, state }, readCallerBody(bytes));
    this.#job = job;
    const { model, previousId = '', conversation } = job;
    const created = nowSeconds(deps.clock);
    this.#started = await deps.background.begin({
      userId: caller.userId,
      responseId: this.id,
      previousId,
      conversation: job.conversationName?.() ?? '',
      model,
      // Of a conversation its own turn alone would not be what it answers.
      input: (conversation === undefined ? given : job.body).get('input') ?? null,
      response: queuedResponse(this.id, {
        body: given,
        model,
        created,
        conversationId: conversation?.id,
      }),
      streamed: given.get('stream') === true,
    });
    for (const type of ['response.created', 'response.queued'])
      this.#run.push(type, { response: this.#run.head });
  }

  async abandon(): Promise<void> {
    await this.#job?.conversation?.close();
    await this.#job?.bill.release();
    this.#caller.memory.release();
    this.#reply.destroy();
  }

  /** Never rejects. */
  async run(serveJob: BackgroundDeps['serveJob']): Promise<void> {
    const { deps, memory, requestId } = this.#caller;
    const job = this.#job;
    if (job === undefined) return;
    const { bill, current } = notingSettlement(job.bill);
    const closed = new Promise<void>((resolve) => this.#reply.once('close', resolve));
    this.#run.onAbort(() => this.#reply.destroy());
    try {
      await serveJob({ ...job, bill });
    } catch (error) {
      deps.logger.error({ error, requestId }, 'a background response failed');
      const described = describeToCaller({ from: 'gateway', error: asAppError(error) }, job);
      this.#ended ??= { kind: 'refused', error: described };
    }
    if (!this.#reply.writableEnded) this.#reply.destroy();
    await closed;
    const settled = current();
    const response = this.#response();
    await deps.background.end(this.#run, {
      response,
      tokens: settled?.tokens ?? 0,
      channelId: settled?.outcome.channel.id ?? 0,
      healthKey: settled?.outcome.channel.healthKeys.at(-1) ?? '',
      itemIds: finishedResponse(response)?.itemIds ?? [],
    });
    memory.release();
  }

  #note(frame: string): undefined {
    const step = readStep(frame, this.#run.head);
    if (step.kind === 'ended' || step.kind === 'refused') this.#ended = step;
    else this.#run.start();
    if (step.kind === 'event') this.#run.push(step.type, step.fields);
  }

  #response() {
    const ended = this.#ended;
    if (ended?.kind === 'ended') return ended.response;
    return failedResponse(this.#run.head, ended?.kind === 'refused' ? ended.error : brokenOff);
  }
}

const brokenOff: WireError = {
  status: 500,
  code: 'server_error',
  message: 'The response was broken off.',
  type: undefined,
  param: undefined,
};
