/** `/v1/messages/count_tokens` and Gemini's `:countTokens`: the upstream's own count where it has one, else ours; free (spec, relay 1 [R]). */
import { drawChannel } from '../../channels/routing-index.ts';
import { isObject, type JsonValue } from '../../kernel/json.ts';
import { channelEffects } from '../../upstream/account.ts';
import { buildCall } from '../../upstream/channel.ts';
import { mapModel } from '../../upstream/rules/model-mapping.ts';
import type { WireFormat } from '../../vocabulary/wire-formats.ts';
import { type Body, readBody } from '../body/body-fields.ts';
import { countableRequest } from '../charge/countable-request.ts';
import type { CallerRequest } from '../parts.ts';
import { clientPartOf } from '../read-request.ts';
import type { Router } from '../routing/router.ts';

const timeoutMs = 10_000;

export interface CountRequest {
  readonly job: CallerRequest;
  readonly body: Body;
  readonly model: string;
  readonly router: Pick<Router, 'isTripped'>;
}

async function askUpstream({ job, body, model, router }: CountRequest, signal: AbortSignal): Promise<number | undefined> {
  const { parts, policy } = job;
  const counter = job.route.dialect === 'gemini' ? 'countGeminiTokens' : 'countTokens';
  const drawn = () =>
    drawChannel(
      parts.routing.tiers(job.group, model),
      (one) => one.provider.operations[counter] === undefined || router.isTripped(one.id),
      () => parts.ids.chance(),
    );
  const channel = job.pin === undefined ? drawn() : parts.routing.find(job.pin);
  const adapter = channel?.provider.operations[counter];
  if (channel === undefined || adapter === undefined) return undefined;
  const call = buildCall(channel, mapModel(model, channel.modelMapping), clientPartOf(job), policy.provider, parts.clock.now());
  const effects = channelEffects(channel, parts, signal);
  const request = adapter.encode(body.parse() as JsonValue, call);
  const authorized = (await channel.provider.authorize?.(request, call, effects)) ?? request;
  const reply = await effects.fetch({ ...authorized, timeoutMs });
  return reply.status === 200 ? adapter.decode(JSON.parse(reply.text)) : undefined;
}

function formatOf({ route }: CallerRequest): WireFormat {
  return route.dialect === 'gemini' ? 'gemini-generate' : 'anthropic-messages';
}

/** Gemini's callers may send the request they are going to make, whole, in a field. */
function requestIn(body: Body): Body {
  const inner = body.get('generateContentRequest');
  return (isObject(inner) ? readBody(Buffer.from(JSON.stringify(inner))) : null) ?? body;
}

/** Tokens of a body of either format. An upstream that does not answer is no reason to refuse: ours stands in. */
export async function countTokens(request: CountRequest, signal: AbortSignal): Promise<number> {
  const { job, body, model } = request;
  try {
    const counted = await askUpstream(request, signal);
    if (counted !== undefined) return counted;
  } catch (error) {
    job.parts.logger.debug({ error, requestId: job.requestId }, 'the upstream did not count');
  }
  const asked = countableRequest({ body: requestIn(body), format: formatOf(job), model, stream: false, operation: 'chat' });
  return job.parts.counter.count(asked, model);
}
