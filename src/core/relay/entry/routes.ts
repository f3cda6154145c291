/**
 * Which request is which. The paths of relayed requests are those their formats declare; the others
 * are listed here. Anything else under the relay's prefixes is an unknown URL.
 */
import { requestPath } from '../../kernel/request-path.ts';
import { anthropicFamily } from '../formats/families/anthropic.ts';
import { familyOfPath } from '../formats/families/index.ts';
import { callerFormats } from '../formats/index.ts';
import { openAiChat } from '../formats/openai-chat/index.ts';
import { openAiImageEdits, openAiImages } from '../formats/openai-images/index.ts';
import type { CallerFormat, FormatRoutes } from '../formats/shared/caller-format.ts';
import type {
  ConversationCall,
  CountingFormat,
  Route,
  RouteKind,
  StoredResponseAction,
} from '../route.ts';
import { taskRoutes } from '../tasks/index.ts';

/** POST paths → what they ask for. */
const paths = new Map<string, Route>();
const patterns: { readonly pattern: RegExp; readonly route: Omit<Route, 'path'> }[] = [];

function register({ paths: fixed = [], pattern }: FormatRoutes, route: Omit<Route, 'path'>): void {
  for (const path of fixed) paths.set(path, { ...route, path });
  if (pattern !== undefined) patterns.push({ pattern, route });
}

for (const format of Object.values(callerFormats)) {
  const { family } = format;
  register(format.routes, { kind: { kind: 'relay', format }, family });
  if (format.kind === 'conversation' && format.tokenCount !== undefined)
    register(format.tokenCount.routes, {
      kind: { kind: 'count-tokens', format: format as CountingFormat },
      family,
    });
}

/** Calls of the console's playgrounds (docs/rules/relay.md#playground). */
const consolePaths: Readonly<Record<string, CallerFormat>> = {
  '/pg/chat/completions': openAiChat,
  '/pg/images/generations': openAiImages,
  '/pg/images/edits': openAiImageEdits,
};
for (const [path, format] of Object.entries(consolePaths)) {
  const [upstreamPath] = format.routes.paths ?? [];
  paths.set(path, {
    kind: { kind: 'relay', format },
    family: format.family,
    login: 'console',
    ...(path.startsWith('/pg/images/') && { keepsImages: true }),
    path,
    upstreamPath,
  });
}

function matchPattern(path: string): Route | undefined {
  for (const { pattern, route } of patterns) {
    const match = pattern.exec(path);
    if (match !== null) return { ...route, path, model: safeDecode(match[1] ?? '') };
  }
  return undefined;
}

/** Calls of these APIs that the gateway does not serve: 501, right after authentication. */
const notImplemented =
  /^\/v1\/(edits|images\/variations|responses(\/compact)?|files(\/[^/]+(\/content)?)?|fine-tunes(\/[^/]+(\/(cancel|events))?)?)$/;

const prefixes = ['/v1', '/v1beta', '/v2', '/dashboard/billing'];

function isRelayPath(path: string): boolean {
  return prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
}

const alpha = '/v1alpha/';

/** Google's clients may be set to `v1alpha`, which has what `v1beta` has. */
function asBeta(path: string): string {
  return path.startsWith(alpha) ? `/v1beta/${path.slice(alpha.length)}` : path;
}

/** Null: not a relay path, the console answers. A trailing slash is ignored. */
export function matchRoute(method: string, url: string): Route | null {
  const full = asBeta(requestPath(url));
  const path = full.length > 1 && full.endsWith('/') ? full.slice(0, -1) : full;
  const known = method === 'POST' ? paths.get(path) : undefined;
  if (known !== undefined) return known;
  const task = matchTask(method, path);
  if (task !== undefined) return task;
  if (path === '/api/hello') return { kind: { kind: 'hello' }, family: anthropicFamily, path };
  if (!isRelayPath(path)) return null;
  const matched = method === 'POST' ? matchPattern(path) : undefined;
  return matched ?? { kind: matchRare(method, path), family: familyOfPath(method, path), path };
}

/** A call of a task platform, or an unknown one below its prefix. */
function matchTask(method: string, path: string): Route | undefined {
  for (const { prefix, family, calls } of taskRoutes) {
    if (prefix?.test(path) === false) continue;
    for (const call of calls) {
      const match =
        call.method === (method === 'HEAD' ? 'GET' : method) ? call.pattern.exec(path) : null;
      if (match === null) continue;
      const params = Object.fromEntries(
        Object.entries<string | undefined>(match.groups ?? {}).map(([name, text = '']) => [
          name,
          safeDecode(text),
        ]),
      );
      const kind: RouteKind =
        call.kind === 'open' ? { kind: 'open-task', call } : { kind: 'task', call };
      const login = call.kind === 'open' || call.login === undefined ? {} : { login: call.login };
      return { kind, family, path, params, ...login };
    }
    if (prefix !== undefined) return { kind: { kind: 'unknown' }, family, path };
  }
  return undefined;
}

const billingPath = /^(?:\/v1)?\/dashboard\/billing\/(\w+)$/;
const modelListPaths = new Set(['/v1/models', '/v1beta/models', '/v1beta/openai/models']);

function matchRare(method: string, path: string): RouteKind {
  const reads = method === 'GET' || method === 'HEAD';
  if (reads && modelListPaths.has(path)) return { kind: 'model-list' };
  if (reads && path === '/v1/responses') return { kind: 'websocket-only', serves: 'responses' };
  if (reads && path === '/v1/realtime') return { kind: 'websocket-only', serves: 'realtime' };
  const stored = matchStoredResponse(method, path);
  if (stored !== undefined) return stored;
  const conversation = matchConversation(method, path);
  if (conversation !== undefined) return { kind: 'conversation', call: conversation };
  const billing = reads ? billingPath.exec(path)?.[1] : undefined;
  if (billing === 'subscription' || billing === 'usage')
    return { kind: 'billing', figure: billing };
  // Names may have a colon (`llama3:8b`); actions are only posted.
  const model = reads ? /^\/v1(?:beta(?:\/openai)?)?\/models\/(.+)$/.exec(path) : null;
  if (model !== null) return { kind: 'model', model: safeDecode(model[1] ?? '') };
  if (method === 'DELETE' && /^\/v1\/models\/[^/]+$/.test(path)) return { kind: 'not-implemented' };
  if (
    notImplemented.test(path) ||
    path.startsWith('/v1beta/') ||
    /^\/v1\/models\/[^/]+:/.test(path)
  )
    return { kind: 'not-implemented' };
  return { kind: 'unknown' };
}

const storedPath = /^\/v1\/responses\/([^/]+)(\/cancel|\/input_items)?$/;
const storedActions: Readonly<Record<string, StoredResponseAction>> = {
  'GET ': 'read',
  'DELETE ': 'delete',
  'POST /cancel': 'cancel',
  'GET /input_items': 'input-items',
};

function matchStoredResponse(method: string, path: string): RouteKind | undefined {
  const [, id = '', rest = ''] = storedPath.exec(path) ?? [];
  const action = storedActions[`${method} ${rest}`];
  return id === '' || id === 'compact' || action === undefined
    ? undefined
    : { kind: 'stored-response', action, id: safeDecode(id) };
}

const conversationPath = /^\/v1\/conversations(?:\/([^/]+)(\/items(?:\/([^/]+))?)?)?$/;
const conversationActions: Readonly<Record<string, ConversationCall['action']>> = {
  'POST ': 'create',
  'GET id': 'read',
  'POST id': 'update',
  'DELETE id': 'delete',
  'POST items': 'add-items',
  'GET items': 'list-items',
  'GET item': 'read-item',
  'DELETE item': 'delete-item',
};

function matchConversation(method: string, path: string): ConversationCall | undefined {
  const match = conversationPath.exec(path);
  if (match === null) return undefined;
  const [, id, items, itemId] = match;
  const place = itemId !== undefined ? 'item' : items !== undefined ? 'items' : id && 'id';
  const action = conversationActions[`${method} ${place ?? ''}`];
  return action && { action, id: safeDecode(id ?? ''), itemId: safeDecode(itemId ?? '') };
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
