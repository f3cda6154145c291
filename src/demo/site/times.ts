/** When requests happen: more by day than by night, fewer on weekends, more from week to week. */
import type { Random } from '../random.ts';

/** Milliseconds since the Unix epoch. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Traffic by hour of the day in the server's zone. */
const byHour = [2, 1, 1, 1, 1, 2, 3, 6, 11, 15, 16, 15, 11, 13, 16, 16, 15, 12, 9, 7, 7, 6, 5, 3];
const weekendShare = 0.4;
/** How much of today's traffic there was at the start. */
const startShare = 0.4;
const most = Math.max(...byHour);

/** A time within the span, drawn by the weights above. */
export function drawTime(random: Random, { start, end }: Span): number {
  for (;;) {
    const share = random.next();
    const time = Math.floor(start + share * (end - start));
    const date = new Date(time);
    const weekend = date.getDay() === 0 || date.getDay() === 6 ? weekendShare : 1;
    const weight =
      ((byHour[date.getHours()] ?? 1) / most) * weekend * (startShare + (1 - startShare) * share);
    if (random.chance(weight)) return time;
  }
}
