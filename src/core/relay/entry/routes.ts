/** Which request is which (spec, relay 1). Anything under the relay's prefixes that is not listed is an unknown URL. */
import type { Operation } from '../../vocabulary/operations.ts';
import type { ApiFamily, WireFormat } from '../../vocabulary/wire-formats.ts';

export type RouteKind =
  | { readonly kind: 'relay'; readonly operation: Operation; readonly format: WireFormat }
  | { readonly kind: 'count-tokens' }
  | { readonly kind: 'model-list' }
  | { readonly kind: 'model'; readonly model: string }
  | { readonly kind: 'billing'; readonly asks: 'subscription' | 'usage' }
  | { readonly kind: 'websocket-only'; readonly serves: 'realtime' | 'responses' }
  | { readonly kind: 'not-implemented' }
  | { readonly kind: 'hello' }
  | { readonly kind: 'unknown' };

export interface Route {
  readonly kind: RouteKind;
  /** Shape of error bodies. */
  readonly apiFamily: ApiFamily;
  /** Path without query. */
  readonly path: string;
}

const posts = new Map<string, RouteKind>([
  ['/v1/chat/completions', { kind: 'relay', operation: 'chat', format: 'openai-chat' }],
  ['/v1/completions', { kind: 'relay', operation: 'completion', format: 'openai-completions' }],
  ['/v1/embeddings', { kind: 'relay', operation: 'embedding', format: 'openai-embeddings' }],
  ['/v1/messages', { kind: 'relay', operation: 'chat', format: 'anthropic-messages' }],
  ['/v1/responses', { kind: 'relay', operation: 'chat', format: 'openai-responses' }],
  ['/v1/responses/compact', { kind: 'relay', operation: 'chat', format: 'openai-responses-compact' }],
  ['/v1/messages/count_tokens', { kind: 'count-tokens' }],
  ['/v1/images/generations', { kind: 'relay', operation: 'image', format: 'openai-images' }],
  ['/v1/images/edits', { kind: 'relay', operation: 'image-edit', format: 'openai-image-edits' }],
  ['/v1/audio/speech', { kind: 'relay', operation: 'speech', format: 'openai-speech' }],
  ['/v1/audio/transcriptions', { kind: 'relay', operation: 'transcription', format: 'openai-transcriptions' }],
  ['/v1/audio/translations', { kind: 'relay', operation: 'translation', format: 'openai-translations' }],
  ['/v1/moderations', { kind: 'relay', operation: 'moderation', format: 'openai-moderations' }],
  ['/v1/rerank', { kind: 'relay', operation: 'rerank', format: 'jina-rerank' }],
]);

/** Answered 501, right after authentication (spec, relay 1 [R]). */
const notImplemented =
  /^\/v1\/(edits|images\/variations|responses(\/compact)?|files(\/[^/]+(\/content)?)?|fine-tunes(\/[^/]+(\/(cancel|events))?)?)$/;

const prefixes = ['/v1', '/v1beta', '/dashboard/billing'];

function isRelayPath(path: string): boolean {
  return prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
}

function apiFamilyOfPath(method: string, path: string): ApiFamily {
  if (path.startsWith('/v1/messages')) return 'anthropic';
  if (path.startsWith('/v1beta/')) return path.startsWith('/v1beta/openai/') ? 'openai' : 'gemini';
  return method === 'POST' && geminiPath.test(path) ? 'gemini' : 'openai';
}

/** Null: not a relay path, the console answers. A trailing slash is ignored. */
export function matchRoute(method: string, url: string): Route | null {
  const mark = url.indexOf('?');
  const full = mark === -1 ? url : url.slice(0, mark);
  const path = full.length > 1 && full.endsWith('/') ? full.slice(0, -1) : full;
  const known = method === 'POST' ? posts.get(path) : undefined;
  if (known !== undefined) return { kind: known, apiFamily: path.startsWith('/v1/messages') ? 'anthropic' : 'openai', path };
  if (path === '/api/hello') return { kind: { kind: 'hello' }, apiFamily: 'anthropic', path };
  if (!isRelayPath(path)) return null;
  return { kind: matchRare(method, path), apiFamily: apiFamilyOfPath(method, path), path };
}

/** `/v1beta/models/{model}:{action}`; clients may be set to `/v1`. */
const geminiPath = /^\/v1(?:beta)?\/models\/(.+):(\w+)$/;

const billingPath = /^(?:\/v1)?\/dashboard\/billing\/(\w+)$/;

function matchRare(method: string, path: string): RouteKind {
  const reads = method === 'GET' || method === 'HEAD';
  if (reads && path === '/v1/models') return { kind: 'model-list' };
  if (reads && path === '/v1/responses') return { kind: 'websocket-only', serves: 'responses' };
  if (reads && path === '/v1/realtime') return { kind: 'websocket-only', serves: 'realtime' };
  if (reads && (path === '/v1beta/models' || path === '/v1beta/openai/models')) return { kind: 'model-list' };
  const billing = reads ? billingPath.exec(path)?.[1] : undefined;
  if (billing === 'subscription' || billing === 'usage') return { kind: 'billing', asks: billing };
  const gemini = method === 'POST' ? geminiPath.exec(path)?.[2] : undefined;
  if (gemini === 'generateContent' || gemini === 'streamGenerateContent')
    return { kind: 'relay', operation: 'chat', format: 'gemini-generate' };
  if (gemini === 'embedContent' || gemini === 'batchEmbedContents')
    return { kind: 'relay', operation: 'embedding', format: 'gemini-embed' };
  if (gemini === 'countTokens') return { kind: 'count-tokens' };
  // Names may have a colon (`llama3:8b`); actions are only posted.
  const model = reads ? /^\/v1(?:beta(?:\/openai)?)?\/models\/(.+)$/.exec(path) : null;
  if (model !== null) return { kind: 'model', model: safeDecode(model[1] ?? '') };
  const engine = method === 'POST' ? /^\/v1\/engines\/.+\/embeddings$/.test(path) : false;
  if (engine) return { kind: 'relay', operation: 'embedding', format: 'openai-embeddings' };
  if (method === 'DELETE' && /^\/v1\/models\/[^/]+$/.test(path)) return { kind: 'not-implemented' };
  if (notImplemented.test(path) || path.startsWith('/v1beta/') || /^\/v1\/models\/[^/]+:/.test(path))
    return { kind: 'not-implemented' };
  return { kind: 'unknown' };
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether a Gemini path asks for a stream. */
export function isStreamPath(path: string): boolean {
  return path.endsWith(':streamGenerateContent');
}

/** The model that a path names (`/v1/engines/{model}/embeddings`, `/v1beta/models/{model}:generateContent`), or undefined. */
export function modelInPath(path: string): string | undefined {
  const match = geminiPath.exec(path) ?? /^\/v1\/engines\/(.+)\/embeddings$/.exec(path);
  return match === null ? undefined : safeDecode(match[1] ?? '');
}
