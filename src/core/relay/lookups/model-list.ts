/** `/v1/models` in the shape its caller reads (spec, relay 1; agent-clients 2). */
import type { JsonObject } from '../../kernel/json.ts';
import { findPrice } from '../../pricing/find-price.ts';
import type { ApiFamily } from '../../vocabulary/wire-formats.ts';
import type { CallerContext, ClientRequest } from '../context.ts';
import { codexModels } from '../formats/families/codex-models.ts';

const created = 1626777600;

/** Which shape a request wants: Anthropic's, Gemini's, Codex' catalogue, or OpenAI's. */
export function listShape(request: Pick<ClientRequest, 'headers' | 'url'>): 'openai' | 'anthropic' | 'gemini' | 'codex' {
  const path = request.url?.split('?')[0] ?? '';
  if (path.startsWith('/v1beta/openai/')) return 'openai';
  if (path.startsWith('/v1beta/')) return 'gemini';
  const query = new URLSearchParams(request.url?.split('?')[1] ?? '');
  if (request.headers['anthropic-version'] !== undefined) return 'anthropic';
  if (request.headers['x-goog-api-key'] !== undefined || query.has('key')) return 'gemini';
  return query.has('client_version') ? 'codex' : 'openai';
}

/** Whose errors such a request reads. */
export function listApiFamily(request: Pick<ClientRequest, 'headers' | 'url'>): ApiFamily {
  const shape = listShape(request);
  return shape === 'codex' ? 'openai' : shape;
}

/** Names the caller may use: the token's own list where it is limited, else what its group reaches at a price. */
export function callerModels(context: CallerContext): readonly string[] {
  const { caller, policy, deps } = context;
  if (caller.modelLimits !== null) return caller.modelLimitList;
  const { acceptUnpriced } = caller;
  return deps.routing
    .models(context.group)
    .filter((model) => findPrice(model, policy.prices, { selfUse: policy.selfUse, acceptUnpriced }) !== undefined);
}

function ownerOf(context: CallerContext, model: string): string {
  return context.deps.routing.tiers(context.group, model)[0]?.channels[0]?.provider.slug ?? 'custom';
}

/** One model in its caller's shape. Codex only reads lists. */
export function modelEntry(context: CallerContext, id: string, shape: ReturnType<typeof listShape>): JsonObject {
  switch (shape) {
    case 'anthropic':
      return { id, type: 'model', display_name: id, created_at: new Date(created * 1000).toISOString() };
    case 'gemini':
      return {
        name: `models/${id}`,
        displayName: id,
        supportedGenerationMethods: ['generateContent', 'countTokens'],
      };
    default:
      return { id, object: 'model', created, owned_by: ownerOf(context, id) };
  }
}

export function modelList(context: CallerContext, shape: ReturnType<typeof listShape>): JsonObject {
  const models = callerModels(context);
  if (shape === 'codex') return codexModels(models);
  const entries = models.map((id) => modelEntry(context, id, shape));
  switch (shape) {
    case 'anthropic':
      return { data: entries, first_id: models[0] ?? null, last_id: models.at(-1) ?? null, has_more: false };
    case 'gemini':
      return { models: entries, nextPageToken: null };
    case 'openai':
      return { success: true, object: 'list', data: entries };
  }
}
