import { currentLanguage } from '../i18n/index.ts';
import { dateText } from './use-time-text.ts';

/** The day in so many days: its weekday within a week, else its date. */
export function emptyDay(days: number, now: Date): string {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
  if (days >= 7) return dateText(day.getTime() / 1000);
  return day.toLocaleDateString(currentLanguage(), { weekday: 'long' });
}
