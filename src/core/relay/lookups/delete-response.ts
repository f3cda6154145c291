/**
 * DELETE `/v1/responses/{id}`: here and at the upstream that keeps the response
 * (docs/rules/responses.md#calls).
 */
import { AppError } from '../../kernel/errors.ts';
import type { StoredResponse } from '../../storage/storage.ts';
import { channelEffects } from '../../upstream/account.ts';
import { buildCall, type UpstreamChannel } from '../../upstream/channel.ts';
import { mapModel } from '../../upstream/rules/model-mapping.ts';
import { clientPartOf } from '../admit/open-job.ts';
import type { CallerContext } from '../context.ts';
import { holdingChannel } from '../select/holder.ts';

/** Milliseconds. */
const timeoutMs = 10_000;

/**
 * Throws AppError response_not_found, and do_request_failed or the error of the connection where
 * the upstream did not delete it: then it is still found here, and the call can be repeated.
 */
export async function deleteResponse(context: CallerContext, id: string): Promise<void> {
  const { deps, caller } = context;
  const row = await deps.responses.find(caller.userId, id);
  if (row === null) throw new AppError('response_not_found', { id });
  const channel = row.held ? deps.routing.find(row.channelId) : undefined;
  const holder = channel && holdingChannel(channel, row);
  if (holder !== undefined) await deleteAt(holder, row, context);
  if (!(await deps.responses.delete(caller.userId, id)))
    throw new AppError('response_not_found', { id });
}

async function deleteAt(
  channel: UpstreamChannel,
  { responseId, model }: StoredResponse,
  context: CallerContext,
): Promise<void> {
  const { deps, policy } = context;
  const upstreamModel = mapModel(model, channel.modelMapping);
  const call = buildCall(
    channel,
    upstreamModel,
    clientPartOf(context),
    policy.provider,
    deps.clock.now(),
  );
  const entries = channel.provider.operations.chat?.passThrough ?? [];
  const entry = entries.find(({ format }) => format === 'openai-responses');
  const target = entry?.target({ get: () => undefined, has: () => false }, call);
  if (target === undefined) return;
  const url = new URL(target.url);
  url.pathname += `/${encodeURIComponent(responseId)}`;
  const { 'content-type': _, ...headers } = target.headers;
  const effects = channelEffects(channel, { upstream: deps.upstream, clock: deps.clock });
  const request = { method: 'DELETE', url: url.href, headers } as const;
  const authorized = (await channel.provider.authorize?.(request, call, effects)) ?? request;
  const { status } = await effects.fetch({ ...authorized, timeoutMs });
  // One that is gone already is deleted.
  if (status !== 404 && (status < 200 || status > 299)) throw new AppError('do_request_failed');
}
