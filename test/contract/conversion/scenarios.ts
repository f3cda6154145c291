/** Requests and replies, independent of the format. */
import type { JsonObject } from '../../../src/core/kernel/json.ts';

export const weatherSchema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
} as const;

/** A PNG of one pixel, base64. */
export const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export interface Scenario {
  readonly name:
    | 'text'
    | 'tools'
    | 'parallel tools'
    | 'tool results'
    | 'image'
    | 'reasoning'
    | 'structured output'
    | 'error';
  /** The model's reply. */
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly {
    readonly id: string;
    readonly name: string;
    readonly args: JsonObject;
  }[];
  /** The upstream refuses. */
  readonly error?: { readonly status: number; readonly message: string };
}

const oslo = { id: 'call_oslo', name: 'weather', args: { city: 'Oslo' } };
const rome = { id: 'call_rome', name: 'weather', args: { city: 'Rome' } };
export const earlierCalls = [oslo, rome] as const;
/** What they returned. */
export const results = ['It is cold.', 'It is warm.'] as const;

export const scenarios: readonly Scenario[] = [
  { name: 'text', text: 'Hello – 你好 👋.' },
  { name: 'tools', calls: [oslo] },
  { name: 'parallel tools', text: 'Let me look.', calls: [oslo, rome] },
  { name: 'tool results', text: 'Cold in Oslo, warm in Rome.' },
  { name: 'image', text: 'A black pixel.' },
  { name: 'reasoning', reasoning: 'Two and two.', text: 'Four.' },
  { name: 'structured output', text: '{"city":"Oslo"}' },
  { name: 'error', error: { status: 400, message: 'the image of the cat is too large' } },
];

/** The reply as the caller's SDK returns it. */
export interface Got {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly name: string; readonly args: unknown }[];
  /** As named by OpenAI. */
  readonly finish: string;
  readonly usage: { readonly input: number; readonly output: number };
}

/** Usage of every reply; no input is cached. */
export const tokens = { input: 40, output: 12 } as const;

/** A text split at positions that are not word boundaries. */
export function pieces(text: string): string[] {
  return text.match(/.{1,5}/gsu) ?? [];
}
