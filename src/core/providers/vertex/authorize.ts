import type { Effects, UpstreamRequest } from '../../canonical/provider.ts';
import type { VertexCall } from './address.ts';
import { accountOf, apiKeyOf } from './key.ts';
import { tokenOf } from './token.ts';

/**
 * Adds the account's access token; an API key stands in the address already. Throws as {@link
 * tokenOf}.
 */
export async function authorizeVertex(
  request: UpstreamRequest,
  call: VertexCall,
  effects: Effects,
): Promise<UpstreamRequest> {
  if (apiKeyOf(call) !== undefined) return request;
  const token = await tokenOf(accountOf(call), effects);
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
}
