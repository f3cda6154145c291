/**
 * URL and headers of Anthropic's API (docs/rules/providers.md#anthropic-headers), also for other
 * servers of it.
 */
import { readOption } from '../../canonical/kit/read-option.ts';
import { jsonHeaders } from '../../canonical/kit/request-target.ts';
import type { Call } from '../../canonical/provider.ts';
import { anthropicOptions } from '../anthropic/options.ts';

const defaultAnthropicVersion = '2023-06-01';

/** The items of comma lists in order, each once. */
function itemsOf(...lists: readonly string[]): string[] {
  const items = lists.flatMap((list) => list.split(',')).map((item) => item.trim());
  return [...new Set(items.filter((item) => item !== ''))];
}

function joinLists(...lists: readonly string[]): string {
  return itemsOf(...lists).join(',');
}

export interface Betas {
  /** What the caller requested. */
  readonly caller: readonly string[];
  /** What `claude.model_headers_settings` adds for the model the caller requested. */
  readonly added: readonly string[];
}

/** Headers that the operator adds for the model that the caller requested. */
function headersFor(
  call: Call,
  requestedModel: string | undefined,
): Readonly<Record<string, readonly string[]>> {
  const headers = readOption(call.options, anthropicOptions, 'claude.model_headers_settings');
  return headers[requestedModel ?? call.model] ?? {};
}

export function betasOf(call: Call, requestedModel: string | undefined): Betas {
  const headers = Object.entries(headersFor(call, requestedModel));
  return {
    caller: itemsOf(call.clientHeaders['anthropic-beta'] ?? ''),
    added: itemsOf(
      ...headers.flatMap(([name, values]) =>
        name.toLowerCase() === 'anthropic-beta' ? values : [],
      ),
    ),
  };
}

/**
 * Key, version and betas: the caller's own, joined with what `claude.model_headers_settings` adds
 * for the requested model. A field whose beta is missing would be refused, so all of the caller's
 * betas are forwarded.
 */
export function anthropicHeaders(
  call: Call,
  stream: boolean,
  requestedModel?: string,
): Record<string, string> {
  const headers: Record<string, string> = {
    ...jsonHeaders(stream),
    'x-api-key': call.key.reveal(),
    'anthropic-version': call.clientHeaders['anthropic-version'] ?? defaultAnthropicVersion,
  };
  const betas = call.clientHeaders['anthropic-beta'];
  if (betas !== undefined && betas !== '') headers['anthropic-beta'] = joinLists(betas);
  const added = headersFor(call, requestedModel);
  for (const [name, values] of Object.entries(added)) {
    const lower = name.toLowerCase();
    headers[lower] =
      lower === 'anthropic-beta'
        ? joinLists(headers[lower] ?? '', ...values)
        : joinLists(...values);
  }
  return headers;
}
