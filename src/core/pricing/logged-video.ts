/** What a log row says of a video that was charged by the second (docs/rules/pricing.md#second-prices). */
import { type Decimal, decimal, multiply } from '../kernel/decimal.ts';
import { isObject } from '../kernel/json.ts';
import { chargeSeconds, priceCalls } from './cost.ts';
import type { CallPrice } from './find-price.ts';
import { secondPrice } from './second-prices.ts';

interface LoggedVideo {
  readonly seconds: number;
  /** Of its resolution, over the price of the row; undefined: it is the price of that resolution. */
  readonly ratio: Decimal | undefined;
  /** `720P`, `720P silent`. Undefined in rows of before it was written. */
  readonly resolution: string | undefined;
}

/** Undefined: it was no video, or one that had a price of its own. */
export function loggedVideo({
  ratios,
  video_resolution: name,
}: Readonly<Record<string, unknown>>): LoggedVideo | undefined {
  const { seconds, resolution } = isObject(ratios) ? ratios : {};
  if (typeof seconds !== 'number' || !(seconds > 0)) return undefined;
  return {
    seconds,
    ratio: typeof resolution === 'number' ? decimal(resolution) : undefined,
    resolution: typeof name === 'string' ? name : undefined,
  };
}

/** What it would cost at another price. Undefined: the row does not say of which resolution it was. */
export function repriceVideo(
  { seconds, ratio, resolution }: LoggedVideo,
  { price, perSecond }: CallPrice,
  groupRatio: Decimal,
  quotaPerUnit: Decimal,
): number | undefined {
  if (perSecond === undefined) {
    // Only VideoRatios make a price that the site has set one per second.
    if (ratio === undefined) return priceCalls(price, 1, groupRatio, quotaPerUnit).quota;
    return chargeSeconds(seconds, multiply(price, ratio), groupRatio, quotaPerUnit).quota;
  }
  if (resolution === undefined) return undefined;
  const [plain = '', silent] = resolution.split(' ');
  const video = { seconds, resolution: plain, silent: silent !== undefined };
  return chargeSeconds(seconds, secondPrice(video, perSecond), groupRatio, quotaPerUnit).quota;
}
