/** Models as their vendors' own calls list them, from the entries of one reply. */
import {
  type Candidate,
  checked,
  count,
  dayAt,
  dayIn,
  type FoundModel,
  known,
  record,
} from './found-model.ts';
import { readOpenRouter } from './openrouter.ts';

const supports = (value: unknown): boolean | undefined => {
  const { supported } = record(value);
  return typeof supported === 'boolean' ? supported : undefined;
};

/**
 * OpenAI's `GET /v1/models`, also of other servers: `created`, and `shutdown_date` where it is
 * announced (https://www.npmjs.com/package/openai/v/7.57.0, `resources/models.d.ts`, 2026-11-13).
 * OpenRouter's has prices, too.
 */
export function readOpenAiList(entries: readonly unknown[], server: string): readonly FoundModel[] {
  if (entries.some((entry) => record(entry).pricing !== undefined))
    return checked(readOpenRouter(entries)).map((found) => ({ ...found, server }));
  return checked(
    entries.map(record).map(({ id, created, shutdown_date: ends }) => ({
      server,
      name: id,
      vendor: server,
      released: dayAt(created),
      ends: dayIn(ends),
    })),
  );
}

const efforts = ['low', 'medium', 'high', 'xhigh', 'max'] as const;

function thinkingOf(capabilities: Candidate): readonly string[] | undefined {
  const thinking = record(capabilities.thinking);
  if (supports(thinking) === undefined) return undefined;
  const types = record(thinking.types);
  const ways = { adaptive: 'adaptive', between_tools: 'between_tools', enabled: 'budget' };
  return [
    ...Object.entries(ways).flatMap(([type, way]) => (supports(types[type]) === true ? way : [])),
    ...(supports(types.disabled) === true ? ['off'] : []),
  ];
}

function readsOf(capabilities: Candidate): readonly string[] | undefined {
  if (supports(capabilities.image_input) === undefined) return undefined;
  return [
    'text',
    ...(supports(capabilities.image_input) === true ? ['image'] : []),
    ...(supports(capabilities.pdf_input) === true ? ['file'] : []),
  ];
}

function anthropicEntry(row: Candidate): Candidate {
  const capabilities = record(row.capabilities);
  const { id: name, created_at, retires_at, lifecycle, max_input_tokens, max_tokens } = row;
  const effort = record(capabilities.effort);
  const released = dayIn(created_at);
  return known({
    server: 'anthropic',
    name,
    vendor: 'anthropic',
    // The epoch stands for an unknown day.
    released: released === '1970-01-01' ? undefined : released,
    ends: lifecycle === 'active' ? undefined : dayIn(retires_at),
    inputTokens: count(max_input_tokens),
    outputTokens: count(max_tokens),
    reads: readsOf(capabilities),
    thinking: thinkingOf(capabilities),
    efforts:
      supports(effort) === undefined
        ? undefined
        : efforts.filter((name) => supports(effort[name]) === true),
    takes:
      supports(capabilities.structured_outputs) === undefined
        ? undefined
        : { json_schema: supports(capabilities.structured_outputs) },
  });
}

/**
 * Anthropic's `GET /v1/models` with limits, capabilities and the end of a model
 * (https://www.npmjs.com/package/@anthropic-ai/sdk/v/1.13.0, `resources/models.d.ts`, 2026-11-23).
 */
export function readAnthropicList(entries: readonly unknown[]): readonly FoundModel[] {
  return checked(entries.map((entry) => anthropicEntry(record(entry))));
}

/** Google's `GET /v1beta/models` with limits (https://ai.google.dev/api/models, 2026-11-28). */
export function readGeminiList(entries: readonly unknown[]): readonly FoundModel[] {
  return checked(
    entries.map(record).map(({ name, inputTokenLimit, outputTokenLimit }) => ({
      server: 'gemini',
      name: typeof name === 'string' ? name.replace(/^models\//, '') : undefined,
      vendor: 'gemini',
      inputTokens: count(inputTokenLimit),
      outputTokens: count(outputTokenLimit),
    })),
  );
}
