import { bareBase } from '../../canonical/kit/request-target.ts';
import type { Call } from '../../canonical/provider.ts';

/** Bases are also found written with the `/v1` or the `/anthropic` under them. */
export function minimaxRoot({ baseUrl }: Call): string {
  return bareBase(baseUrl).replace(/\/anthropic$/, '');
}

export function minimaxAddress(path: string, call: Call): string {
  return minimaxRoot(call) + path;
}
