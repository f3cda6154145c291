/** The attempt to forward a request: with a sink that remembers the reply's thinking where it is wanted. */
import type { Attempt, AttemptResult } from '../attempt.ts';
import type { RelayJob } from '../job.ts';
import { ForwardSink } from './forward-sink.ts';
import { ForwardedTurn } from './forwarded-turn.ts';
import type { Forwarding, RememberedReply } from './forwarding.ts';
import { toWireRequest } from './upstream-reply.ts';

/** Sends the request and forwards the reply as it comes, or as `rewrite` writes it. */
export function attemptForward(
  job: RelayJob,
  attempt: Attempt,
  forwarding: Forwarding,
): Promise<AttemptResult> {
  const request = toWireRequest(job, attempt, forwarding.request);
  return new Promise((resolve) => {
    const { thinking } = forwarding;
    const sink =
      thinking === undefined
        ? new ForwardSink(job, attempt, forwarding, resolve)
        : new RememberingSink(job, attempt, { ...forwarding, thinking }, resolve);
    sink.begin(request);
  });
}

/**
 * Reads what it forwards as well, to remember its thinking: a sink of its own, so that all others
 * pay nothing for it.
 */
class RememberingSink extends ForwardSink {
  readonly #turn: ForwardedTurn;
  readonly #messages: RememberedReply['messages'];

  constructor(
    job: RelayJob,
    attempt: Attempt,
    forwarding: Forwarding & { readonly thinking: RememberedReply },
    resolve: (result: AttemptResult) => void,
  ) {
    super(job, attempt, forwarding, resolve);
    const { reader, messages } = forwarding.thinking;
    this.#messages = messages;
    this.#turn = new ForwardedTurn(reader, job.deps.limits.maxEventBytes);
  }

  protected override receive(chunk: Buffer | null): void {
    if (chunk !== null) this.#turn.push(chunk);
    super.receive(chunk);
  }

  protected override completed(whole?: Buffer): void {
    const { deps } = this.job;
    const content = whole === undefined ? this.#turn.end() : this.#turn.read(whole);
    deps.thinking.remember(this.job, this.attempt.channel, this.#messages, content);
  }
}
