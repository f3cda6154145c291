/**
 * The text of a datetime-local field, in the reader's time zone, and the Unix seconds it means; −1
 * is never, an empty field.
 */
import { fullTime } from '../hooks/use-time-text.ts';

const never = -1;

export function fieldOfTime(seconds: number): string {
  return seconds === never || !Number.isFinite(seconds) ? '' : fullTime(seconds).replace(' ', 'T');
}

/** NaN when it is no time. */
export function timeOfField(text: string): number {
  return text === '' ? never : Math.floor(new Date(text).getTime() / 1000);
}
