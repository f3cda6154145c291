/** How a request is made ready for one channel: shaped by the channel's rules, then authorized. */
import type { ProviderError } from '../../canonical/chat-reply.ts';
import type { Target } from '../../canonical/pass-through.ts';
import type { Call, Effects, UpstreamRequest } from '../../canonical/provider.ts';
import { createEffects } from '../../upstream/account.ts';
import type { Attempt } from '../attempt.ts';
import type { RelayJob } from '../job.ts';
import {
  endUserOf,
  ownNamesOf,
  type ShapedRequest,
  shapeEncoded,
  shapeForwarded,
  shapingOfAttempt,
} from '../shape/index.ts';
import { replyLimit } from './reply-limits.ts';

/** HTTP for the adapter parts that are not pure; ends when the caller leaves. */
function effectsFor(job: RelayJob, attempt: Attempt): Effects {
  const { upstream, clock } = job.deps;
  const claim = (bytes: number) => job.memory.takeReply(bytes);
  return createEffects(upstream, clock, attempt.channel.proxy, job.client.signal(), {
    maxBytes: replyLimit(job),
    claim,
  });
}

/** The same where a call needs several requests, each of which is shaped. */
export function shapedEffects(job: RelayJob, attempt: Attempt, call: Call): Effects {
  const effects = effectsFor(job, attempt);
  const shaping = shapingOfAttempt(job, attempt, call);
  return {
    ...effects,
    fetch: ({ timeoutMs, ...request }) => {
      const shaped = shapeEncoded(shaping, request);
      return effects.fetch({ ...shaped.seal(shaped.request), timeoutMs });
    },
  };
}

export interface ReadyRequest {
  readonly request: UpstreamRequest;
  /** The attempt with the model and the effort of the request. */
  readonly attempt: Attempt;
}

/**
 * Adds credentials that need HTTP or a clock, where the provider requires them; then the channel's
 * header rules.
 */
async function makeReady(
  job: RelayJob,
  attempt: Attempt,
  call: Call,
  shaped: ShapedRequest,
): Promise<ReadyRequest> {
  const { provider } = attempt.channel;
  const { request, reasoningEffort, model: upstreamModel = attempt.upstreamModel } = shaped;
  const authorized =
    provider.authorize === undefined
      ? request
      : await provider.authorize(request, call, effectsFor(job, attempt));
  return {
    request: shaped.seal(authorized),
    attempt: { ...attempt, upstreamModel, reasoningEffort },
  };
}

/**
 * Whether the upstream's refusal was about credentials that `authorize` can replace: the same
 * channel is tried once more.
 */
export function renewsAuthorization(
  job: RelayJob,
  attempt: Attempt,
  call: Call,
  error: ProviderError,
): boolean {
  const { provider } = attempt.channel;
  return provider.renewAuthorization?.(error, call, effectsFor(job, attempt)) ?? false;
}

/** The caller's bytes with what must change in them. Throws RuleRefusal. */
export function readyForwarded(
  job: RelayJob,
  attempt: Attempt,
  call: Call,
  target: Target,
): Promise<ReadyRequest> {
  const model = target.modelInUrl === true ? undefined : (target.model ?? attempt.upstreamModel);
  const endUser = endUserOf(job, attempt, job.format.name);
  const takesImages = attempt.channel.provider.answerImages !== undefined;
  const ownNames = ownNamesOf(job, attempt);
  const shaping = { ...shapingOfAttempt(job, attempt, call), endUser, ownNames, takesImages };
  return makeReady(
    job,
    attempt,
    call,
    shapeForwarded(shaping, job.format, job.body, target, model),
  );
}

/** A request that was written for the provider. Throws RuleRefusal. */
export function readyEncoded(
  job: RelayJob,
  attempt: Attempt,
  call: Call,
  request: UpstreamRequest,
): Promise<ReadyRequest> {
  const shaping = {
    ...shapingOfAttempt(job, attempt, call),
    endUser: endUserOf(job, attempt),
    ownNames: ownNamesOf(job, attempt),
  };
  return makeReady(job, attempt, call, shapeEncoded(shaping, request));
}
