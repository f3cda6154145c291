/** The shapes of `/v1/models`: clients of every API ask for it at one address. */
import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject, JsonValue } from '../../../kernel/json.ts';
import { requestPath } from '../../../kernel/request-path.ts';
import { anthropicFamily } from './anthropic.ts';
import type { ApiFamily } from './api-family.ts';
import { codexModels } from './codex-models.ts';
import { geminiFamily } from './gemini.ts';
import { openAiFamily } from './openai.ts';

/** What a list says of a model besides its name, as far as it is known. */
export interface ListedModel {
  readonly owner: string;
  /** The first day (UTC) without it, and what its vendor recommends then. */
  readonly ends?: string;
  readonly successor?: string;
  /** Most tokens of a prompt, and of an answer. */
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
}

type Describe = (id: string) => ListedModel;

export interface ModelListShape {
  /** Whose errors such a caller reads. */
  readonly family: ApiFamily;
  /** One model. */
  entry(id: string, describe: Describe): JsonObject;
  list(ids: readonly string[], describe: Describe): JsonObject;
}

/** Unix seconds; the gateway does not know when a model appeared. */
const created = 1626777600;

/** Without the members that have no value. */
function known(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
}

const openAi: ModelListShape = {
  family: openAiFamily,
  entry: (id, describe) => {
    const { owner, ends, successor, inputTokens, outputTokens, reads, writes } = describe(id);
    return known({
      id,
      object: 'model',
      created,
      owned_by: owner,
      ends,
      successor,
      context_length: inputTokens,
      max_output_tokens: outputTokens,
      input_modalities: reads,
      output_modalities: writes,
    });
  },
  list: (ids, describe) => ({
    success: true,
    object: 'list',
    data: ids.map((id) => openAi.entry(id, describe)),
  }),
};

/** Codex reads a catalogue of its own; a single model as OpenAI's clients do. */
const codex: ModelListShape = { ...openAi, list: codexModels };

const anthropic: ModelListShape = {
  family: anthropicFamily,
  entry: (id, describe) => {
    const { ends, successor, inputTokens, outputTokens } = describe(id);
    return known({
      id,
      type: 'model',
      display_name: id,
      created_at: new Date(created * 1000).toISOString(),
      max_input_tokens: inputTokens,
      max_tokens: outputTokens,
      ends,
      successor,
    });
  },
  list: (ids, describe) => ({
    data: ids.map((id) => anthropic.entry(id, describe)),
    first_id: ids[0] ?? null,
    last_id: ids.at(-1) ?? null,
    has_more: false,
  }),
};

const gemini: ModelListShape = {
  family: geminiFamily,
  entry: (id, describe) => {
    const { ends, successor, inputTokens, outputTokens } = describe(id);
    return known({
      name: `models/${id}`,
      displayName: id,
      inputTokenLimit: inputTokens,
      outputTokenLimit: outputTokens,
      supportedGenerationMethods: ['generateContent', 'countTokens'],
      ends,
      successor,
    });
  },
  list: (ids, describe) => ({
    models: ids.map((id) => gemini.entry(id, describe)),
    nextPageToken: null,
  }),
};

/** The shape a request asks for, by its path, headers and query. */
export function modelListShape(request: {
  readonly headers: IncomingHttpHeaders;
  readonly url?: string;
}): ModelListShape {
  const { url = '/' } = request;
  const path = requestPath(url);
  const search = url.split('?', 2)[1];
  if (path.startsWith('/v1beta/openai/')) return openAi;
  if (/^\/v1(?:beta|alpha)\//.test(path)) return gemini;
  const query = new URLSearchParams(search);
  if (request.headers['anthropic-version'] !== undefined) return anthropic;
  if (request.headers['x-goog-api-key'] !== undefined || query.has('key')) return gemini;
  return query.has('client_version') ? codex : openAi;
}
