/** The requests to a proxy: addresses, headers, and what the channel's mode changes in an order. */
import { type DrawingMode, type DrawingOrder, withoutSpeed } from '../../canonical/drawing.ts';
import type { Call, UpstreamRequest } from '../../canonical/provider.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { MidjourneySettings } from './settings.ts';

type MidjourneyCall = Call<MidjourneySettings>;

export function headersFor({ key }: Pick<Call, 'key'>): Record<string, string> {
  return {
    'mj-api-secret': key.reveal(),
    'content-type': 'application/json',
    accept: 'application/json',
  };
}

/** The mode as the proxy's account filter, in place of any other sign of speed. */
function filtered(body: JsonObject, mode: DrawingMode): JsonObject {
  const { prompt } = body;
  return {
    ...body,
    ...(typeof prompt === 'string' && { prompt: withoutSpeed(prompt) }),
    accountFilter: { modes: [mode.toUpperCase()] },
  };
}

function addressOf(
  { baseUrl, settings }: MidjourneyCall,
  path: string,
  mode: DrawingMode | undefined,
): string {
  const speed = settings.mj_mode === 'path' && mode !== undefined ? `/mj-${mode}` : '';
  return `${baseUrl}${speed}${path}`;
}

/** `mode`: in place of the order's own, for an order that is submitted again. */
export function submitRequest(
  order: DrawingOrder,
  call: MidjourneyCall,
  mode = order.mode,
): UpstreamRequest {
  const body =
    call.settings.mj_mode === 'filter' ? filtered(order.body, mode ?? 'fast') : order.body;
  return {
    method: 'POST',
    url: addressOf(call, order.path, mode),
    headers: headersFor(call),
    body,
  };
}

/** Queries about tasks: no mode applies. */
export function listRequest(ids: readonly string[], call: MidjourneyCall): UpstreamRequest {
  const url = addressOf(call, '/mj/task/list-by-condition', undefined);
  return { method: 'POST', url, headers: headersFor(call), body: { ids } };
}

export function seedRequest(id: string, call: MidjourneyCall): UpstreamRequest {
  const url = addressOf(call, `/mj/task/${encodeURIComponent(id)}/image-seed`, undefined);
  return { method: 'GET', url, headers: headersFor(call) };
}
