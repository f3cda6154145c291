/**
 * Times as the console writes them (docs/rules/console.md#times): 11-20 19:04:52 in tables, "2 分钟前"
 * where age matters.
 */
import { formatSeconds } from '../../core/pricing/format.ts';
import { useTranslation } from '../i18n/index.ts';

const pad = (value: number, length = 2) => String(value).padStart(length, '0');

/** `2026-11-20 19:04:52`, local time. `seconds`: Unix seconds. */
export function fullTime(seconds: number): string {
  const at = new Date(seconds * 1000);
  // Of a year that is typed into a field, the browser only takes all four digits.
  return `${pad(at.getFullYear(), 4)}-${pad(at.getMonth() + 1)}-${pad(at.getDate())} ${clockTime(seconds)}`;
}

/**
 * `2026-11-20 19:04:52` in a time zone; local time where the browser does not know it.
 */
export function zonedTime(seconds: number, timeZone: string): string {
  try {
    // Swedes write times like this.
    const format = new Intl.DateTimeFormat('sv-SE', {
      timeZone,
      dateStyle: 'short',
      timeStyle: 'medium',
    });
    return format.format(seconds * 1000);
  } catch {
    return fullTime(seconds);
  }
}

/** `2026-11-20`. */
export function dateText(seconds: number): string {
  return fullTime(seconds).slice(0, 10);
}

/** `2026-11-20 19:04`. */
export function minuteTime(seconds: number): string {
  return fullTime(seconds).slice(0, 16);
}

/** `11-20`. */
export function dayText(seconds: number): string {
  return fullTime(seconds).slice(5, 10);
}

/** `19:04:52`. */
export function clockTime(seconds: number): string {
  const at = new Date(seconds * 1000);
  return `${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`;
}

/** The age of a moment in words; `now` in Unix seconds. */
export function useAgeText(): (seconds: number, now?: number) => string {
  const { t } = useTranslation();
  return (seconds, now = Date.now() / 1000) => {
    const age = Math.max(0, Math.floor(now - seconds));
    if (age < 60) return t('common.justNow');
    if (age < 3600) return t('common.minutesAgo', { count: Math.floor(age / 60) });
    if (age < 86_400) return t('common.hoursAgo', { count: Math.floor(age / 3600) });
    const days = Math.floor(age / 86_400);
    if (days === 1) return t('common.yesterday');
    return days < 60
      ? t('common.daysAgo', { count: days })
      : t('common.monthsAgo', { count: Math.floor(days / 30) });
  };
}

/** `0.62 s`, `14.2 s`. */
export function durationText(seconds: number): string {
  return `${formatSeconds(seconds)} s`;
}
