/**
 * The limits that a vendor reports in the headers of its reply, for callers of a channel that has no
 * other customer (docs/rules/relay.md#limit-headers).
 */
import { headerText, type ResponseHeaders } from '../../upstream/exchange.ts';
import type { Allowance, ApiFamily } from '../formats/families/api-family.ts';
import { openAiLimitHeaders } from '../formats/families/openai.ts';

type Headers = ReadonlyMap<string, string>;

const limitHeader = /^(?:x|anthropic)-ratelimit-/;
const isCount = /^\d{1,15}$/;
/** Milliseconds; what is longer is no time until a reset. */
const longestReset = 366 * 24 * 3_600_000;
const units = ['requests', 'tokens'] as const;
const namesOf = (unit: Allowance['unit']) => ({
  limit: [`anthropic-ratelimit-${unit}-limit`, `x-ratelimit-limit-${unit}`] as const,
  remaining: [`anthropic-ratelimit-${unit}-remaining`, `x-ratelimit-remaining-${unit}`] as const,
  reset: [`anthropic-ratelimit-${unit}-reset`, `x-ratelimit-reset-${unit}`] as const,
});
const limitNames = { requests: namesOf('requests'), tokens: namesOf('tokens') };
const milliseconds: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** Milliseconds until a time (Anthropic), of `6m0s` (OpenAI) or of seconds; undefined: neither. */
function untilReset(text: string, now: number): number | undefined {
  if (/^[\d.]+$/.test(text)) return Number(text) * 1000;
  if (/^(?:[\d.]+(?:ms|[hms]))+$/.test(text)) {
    const parts = [...text.matchAll(/([\d.]+)(ms|[hms])/g)];
    return parts.reduce(
      (sum, [, count, unit = '']) => sum + Number(count) * (milliseconds[unit] ?? 0),
      0,
    );
  }
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}

function allowanceIn(
  headers: ResponseHeaders,
  unit: Allowance['unit'],
  now: number,
): Allowance | undefined {
  const read = (what: keyof (typeof limitNames)['tokens']) => {
    const [own, usual] = limitNames[unit][what];
    return headerText(headers, own) || headerText(headers, usual);
  };
  const limit = read('limit');
  // Most replies name none.
  if (!isCount.test(limit)) return undefined;
  const left = read('remaining');
  const resetMs = untilReset(read('reset'), now);
  if (!isCount.test(left)) return undefined;
  if (resetMs === undefined || !(resetMs <= longestReset)) return undefined;
  return { unit, limit: Number(limit), left: Number(left), resetMs };
}

/** What the headers say of requests and tokens. `now`: Unix milliseconds. */
export function allowancesIn(headers: ResponseHeaders, now: number): readonly Allowance[] {
  return units.flatMap((unit) => allowanceIn(headers, unit, now) ?? []);
}

/**
 * The vendor's headers as they came, and what they say of requests and tokens in those that the
 * caller's client reads. `now`: Unix milliseconds.
 */
export function vendorLimits(
  headers: ResponseHeaders,
  { limitHeaders = openAiLimitHeaders }: ApiFamily,
  now: number,
): Headers {
  const reported = new Map(
    Object.keys(headers)
      .filter((name) => limitHeader.test(name))
      .map((name) => [name, headerText(headers, name)] as const),
  );
  for (const allowance of reported.size === 0 ? [] : allowancesIn(headers, now)) {
    for (const [name, value] of Object.entries(limitHeaders(allowance, now)))
      if (!reported.has(name)) reported.set(name, value);
  }
  return reported;
}
