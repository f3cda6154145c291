/** `/v1/messages/count_tokens` and Gemini's `:countTokens`: the upstream's own count where it has one, else ours; free (spec, relay 1 [R]). */
import { drawChannel } from '../../channels/routing-index.ts';
import { isObject, type JsonValue } from '../../kernel/json.ts';
import { channelEffects } from '../../upstream/account.ts';
import { buildCall } from '../../upstream/channel.ts';
import { mapModel } from '../../upstream/rules/model-mapping.ts';
import type { WireFormat } from '../../vocabulary/wire-formats.ts';
import { clientPartOf } from '../admit/open-job.ts';
import { type Body, readBody } from '../body/body-fields.ts';
import { countableRequest } from '../charge/countable-request.ts';
import type { CallerContext } from '../context.ts';
import type { Router } from '../select/router.ts';

const timeoutMs = 10_000;

export interface CountRequest {
  readonly context: CallerContext;
  readonly body: Body;
  readonly model: string;
  readonly router: Pick<Router, 'isCircuitOpen'>;
}

async function askUpstream({ context, body, model, router }: CountRequest, signal: AbortSignal): Promise<number | undefined> {
  const { deps, policy } = context;
  const counter = context.route.apiFamily === 'gemini' ? 'countGeminiTokens' : 'countTokens';
  const drawn = () =>
    drawChannel(
      deps.routing.tiers(context.group, model),
      (one) => one.provider.operations[counter] === undefined || router.isCircuitOpen(one.id),
      () => deps.ids.chance(),
    );
  const channel = context.pin === undefined ? drawn() : deps.routing.find(context.pin);
  const adapter = channel?.provider.operations[counter];
  if (channel === undefined || adapter === undefined) return undefined;
  const call = buildCall(
    channel,
    mapModel(model, channel.modelMapping),
    clientPartOf(context),
    policy.provider,
    deps.clock.now(),
  );
  const effects = channelEffects(channel, deps, signal);
  const request = adapter.encode(body.parse() as JsonValue, call);
  const authorized = (await channel.provider.authorize?.(request, call, effects)) ?? request;
  const reply = await effects.fetch({ ...authorized, timeoutMs });
  return reply.status === 200 ? adapter.decode(JSON.parse(reply.text)) : undefined;
}

function formatOf({ route }: CallerContext): WireFormat {
  return route.apiFamily === 'gemini' ? 'gemini-generate' : 'anthropic-messages';
}

/** Gemini's callers may send the request they are going to make, whole, in a field. */
function requestIn(body: Body): Body {
  const inner = body.get('generateContentRequest');
  return (isObject(inner) ? readBody(Buffer.from(JSON.stringify(inner))) : null) ?? body;
}

/** Tokens of a body of either format. An upstream that does not answer is no reason to refuse: ours stands in. */
export async function countTokens(request: CountRequest, signal: AbortSignal): Promise<number> {
  const { context, body, model } = request;
  try {
    const counted = await askUpstream(request, signal);
    if (counted !== undefined) return counted;
  } catch (error) {
    context.deps.logger.debug({ error, requestId: context.requestId }, 'the upstream did not count');
  }
  const asked = countableRequest({ body: requestIn(body), format: formatOf(context), model, stream: false, operation: 'chat' });
  return context.deps.counter.count(asked, model);
}
