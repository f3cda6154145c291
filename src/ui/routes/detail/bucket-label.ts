import type { UsageSummary } from '../../../core/contract/data.ts';
import { clockTime, dayText } from '../../hooks/use-time-text.ts';

export type Granularity = UsageSummary['by'];

/** `20:00` for an hour, `11-20` for a day or the first day of a week. */
export function bucketLabel(start: number, granularity: Granularity): string {
  return granularity === 'hour' ? clockTime(start).slice(0, 5) : dayText(start);
}

/** The same, unmistakable: with the day of the hour. */
export function bucketTitle(start: number, granularity: Granularity): string {
  return granularity === 'hour'
    ? `${dayText(start)} ${clockTime(start).slice(0, 5)}`
    : dayText(start);
}
