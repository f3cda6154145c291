/** The shapes of `/v1/models`: clients of every API ask for it at one address. */
import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '../../../kernel/json.ts';
import { anthropicFamily } from './anthropic.ts';
import type { ApiFamily } from './api-family.ts';
import { codexModels } from './codex-models.ts';
import { geminiFamily } from './gemini.ts';
import { openAiFamily } from './openai.ts';

export interface ModelListShape {
  /** Whose errors such a caller reads. */
  readonly family: ApiFamily;
  /** One model. */
  entry(id: string, ownerOf: (id: string) => string): JsonObject;
  list(ids: readonly string[], ownerOf: (id: string) => string): JsonObject;
}

/** Unix seconds; the gateway does not know when a model appeared. */
const created = 1626777600;

const openAi: ModelListShape = {
  family: openAiFamily,
  entry: (id, ownerOf) => ({ id, object: 'model', created, owned_by: ownerOf(id) }),
  list: (ids, ownerOf) => ({
    success: true,
    object: 'list',
    data: ids.map((id) => openAi.entry(id, ownerOf)),
  }),
};

/** Codex reads a catalogue of its own; a single model as OpenAI's clients do. */
const codex: ModelListShape = { ...openAi, list: codexModels };

const anthropic: ModelListShape = {
  family: anthropicFamily,
  entry: (id) => ({
    id,
    type: 'model',
    display_name: id,
    created_at: new Date(created * 1000).toISOString(),
  }),
  list: (ids, ownerOf) => ({
    data: ids.map((id) => anthropic.entry(id, ownerOf)),
    first_id: ids[0] ?? null,
    last_id: ids.at(-1) ?? null,
    has_more: false,
  }),
};

const gemini: ModelListShape = {
  family: geminiFamily,
  entry: (id) => ({
    name: `models/${id}`,
    displayName: id,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
  }),
  list: (ids, ownerOf) => ({
    models: ids.map((id) => gemini.entry(id, ownerOf)),
    nextPageToken: null,
  }),
};

/** The shape a request asks for, by its path, headers and query. */
export function modelListShape(request: {
  readonly headers: IncomingHttpHeaders;
  readonly url?: string;
}): ModelListShape {
  const [path = '', search = ''] = request.url?.split('?') ?? [];
  if (path.startsWith('/v1beta/openai/')) return openAi;
  if (path.startsWith('/v1beta/')) return gemini;
  const query = new URLSearchParams(search);
  if (request.headers['anthropic-version'] !== undefined) return anthropic;
  if (request.headers['x-goog-api-key'] !== undefined || query.has('key')) return gemini;
  return query.has('client_version') ? codex : openAi;
}
