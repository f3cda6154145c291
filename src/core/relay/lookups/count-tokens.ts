/**
 * `/v1/messages/count_tokens`, Gemini's `:countTokens` and `/v1/responses/input_tokens`: the
 * upstream's own count where it has one, else ours. They are free (docs/rules/metering.md#count-tokens-endpoint).
 */
import type { JsonValue } from '../../kernel/json.ts';
import { channelEffects } from '../../upstream/account.ts';
import { buildCall } from '../../upstream/channel.ts';
import { mapModel } from '../../upstream/rules/model-mapping.ts';
import { standingAlone } from '../admit/continue-response.ts';
import { chooseModel, clientPartOf } from '../admit/open-job.ts';
import { fieldError, readJsonBody } from '../admit/read-format-body.ts';
import type { RequestBody } from '../body/request-body.ts';
import { countableRequest } from '../charge/countable-request.ts';
import { enterRates } from '../charge/hold.ts';
import { tagsOf } from '../charge/tags.ts';
import type { CallerContext } from '../context.ts';
import { idHeaders, sendJson } from '../reply.ts';
import type { CountingFormat } from '../route.ts';
import type { Router } from '../select/router.ts';

const timeoutMs = 10_000;

interface CountRequest {
  readonly context: CallerContext;
  readonly format: CountingFormat;
  readonly body: RequestBody;
  readonly model: string;
  readonly router: Pick<Router, 'begin'>;
}

/**
 * Undefined: the channel's upstream did not count. Throws AppError where no channel serves it.
 */
async function askUpstream(
  request: CountRequest,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { context, format, body, model, router } = request;
  const { deps, policy } = context;
  const { operation } = format.tokenCount;
  if (operation === undefined) return undefined;
  // A count must not move its conversation to a channel that only counts.
  const routed = { ...context, policy: { ...policy, affinity: null }, format, body, model };
  const selector = router.begin(
    routed,
    ({ provider }) => provider.operations[operation] !== undefined,
  );
  const selection = await selector.next();
  if (selection === undefined) return undefined;
  try {
    const { channel } = selection;
    const adapter = channel.provider.operations[operation];
    if (adapter === undefined) return undefined;
    const upstreamModel = mapModel(model, channel.modelMapping);
    const call = buildCall(
      channel,
      upstreamModel,
      clientPartOf(context),
      policy.provider,
      deps.clock.now(),
    );
    const effects = channelEffects(channel, deps, signal);
    const encoded = adapter.encode(body.parse() as JsonValue, call);
    const authorized = (await channel.provider.authorize?.(encoded, call, effects)) ?? encoded;
    const reply = await effects.fetch({ ...authorized, timeoutMs });
    return reply.status === 200 ? adapter.decode(JSON.parse(reply.text)) : undefined;
  } finally {
    // Counting says nothing about whether the channel can answer.
    selector.report(selection, { kind: 'gone' });
  }
}

/**
 * Tokens of a request. An upstream that does not answer is no reason to refuse: then they are
 * counted here.
 */
async function countTokens(request: CountRequest, signal: AbortSignal): Promise<number> {
  const { context, format, body, model } = request;
  try {
    const counted = await askUpstream(request, signal);
    if (counted !== undefined) return counted;
  } catch (error) {
    context.deps.logger.debug(
      { error, requestId: context.requestId },
      'the upstream did not count',
    );
  }
  const counted = format.tokenCount.requestIn?.(body) ?? body;
  return context.deps.counter.count(
    countableRequest({ body: counted, format, model, stream: false }),
    model,
  );
}

/** Throws AppError where the body cannot be read, or what it continues is not there. */
export async function sendCount(
  context: CallerContext,
  format: CountingFormat,
  router: Router,
): Promise<void> {
  const given = await readJsonBody(context);
  const model = chooseModel(context, given);
  const body = await standingAlone(context, format.state, given).catch((error: unknown) => {
    throw fieldError(error);
  });
  const entered = enterRates(context, model, 0, { tags: tagsOf(context, given) });
  const ticket = entered && (await entered);
  const request = { context, format, body, model, router };
  const tokens = await countTokens(request, context.client.signal()).finally(() => ticket?.end(0));
  sendJson(
    context.response,
    200,
    format.tokenCount.writeReply(tokens),
    idHeaders(context.requestId),
  );
}
