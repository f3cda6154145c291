/** How a request is made ready for one channel, whichever way it is carried. */
import type { JsonValue } from '../kernel/json.ts';
import type { Call, Effects, Target, UpstreamRequest } from '../providers/provider.ts';
import { createEffects } from '../upstream/account.ts';
import type { UpstreamChannel } from '../upstream/channel.ts';
import type { Attempt, RelayJob } from './job.ts';

/** HTTP for the adapter parts that are not pure; ends when the caller leaves. */
export function effectsFor(job: RelayJob, attempt: Attempt): Effects {
  return createEffects(job.parts.upstream, job.parts.clock, attempt.channel.proxy, job.client.signal());
}

/** Credentials that need HTTP or a clock, where the provider wants them. */
export async function authorize(job: RelayJob, attempt: Attempt, call: Call, request: UpstreamRequest): Promise<UpstreamRequest> {
  const { provider } = attempt.channel;
  return provider.authorize === undefined ? request : provider.authorize(request, call, effectsFor(job, attempt));
}

/** The caller's bytes with what must change in them; only what the address demands where the site passes everything through. */
export function forwardedRequest(job: RelayJob, attempt: Attempt, target: Target): UpstreamRequest {
  const { bytes, contentType } = job.body.write(editsFor(job, attempt, target));
  const headers = contentType === undefined ? target.headers : { ...target.headers, 'content-type': contentType };
  return { method: 'POST', url: target.url, headers, body: bytes };
}

function editsFor(job: RelayJob, attempt: Attempt, target: Target): Target['edits'] {
  if (job.policy.passThroughAll) return target.wireEdits;
  const model = target.model ?? attempt.upstreamModel;
  const edits: Record<string, JsonValue | undefined> = { ...target.edits, ...target.wireEdits };
  if (target.modelInUrl !== true && model !== job.body.get('model')) edits['model'] = model;
  return Object.assign(edits, attempt.channel.paramOverride);
}

/** Top-level override of the converted body (`param_override`). */
export function overrideParams(request: UpstreamRequest, channel: UpstreamChannel): UpstreamRequest {
  const { body } = request;
  if (channel.paramOverride === undefined || typeof body !== 'object' || body === null) return request;
  if (Array.isArray(body) || body instanceof Uint8Array) return request;
  return { ...request, body: { ...body, ...channel.paramOverride } };
}
