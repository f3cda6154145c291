/** Times for display, in the local time zone. Input: whole Unix seconds. */
import { type Language, localize } from '../base/text.ts';

const two = (number: number) => String(number).padStart(2, '0');

/** `11-20 19:04:52`, preceded by the year if it is not the current one. Empty for 0 and −1. */
export function formatTime(seconds: number, now: number): string {
  if (seconds <= 0) return '';
  const time = new Date(seconds * 1000);
  const year =
    time.getFullYear() === new Date(now * 1000).getFullYear() ? '' : `${time.getFullYear()}-`;
  return `${year}${two(time.getMonth() + 1)}-${two(time.getDate())} ${formatClock(seconds)}`;
}

/** `19:04:52`, and the date for another day: `   11-20`. Eight columns wide. */
export function formatRecent(seconds: number, now: number): string {
  const date = formatTime(seconds, now).slice(0, -' 19:04:52'.length);
  const isToday = new Date(seconds * 1000).toDateString() === new Date(now * 1000).toDateString();
  return isToday ? formatClock(seconds) : date.slice(-'20-11-20'.length).padStart(8);
}

/** `19:04:52`. */
function formatClock(seconds: number): string {
  const time = new Date(seconds * 1000);
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}

/** The two largest units: `3 d 4 h`, `4 min 12 s`. */
export function formatSpan(seconds: number, language: Language): string {
  const all = Math.max(0, Math.floor(seconds));
  const units = [
    [Math.floor(all / 86_400), localize(language, { en: 'd', zh: '天' })],
    [Math.floor(all / 3600) % 24, localize(language, { en: 'h', zh: '小时' })],
    [Math.floor(all / 60) % 60, localize(language, { en: 'min', zh: '分' })],
    [all % 60, localize(language, { en: 's', zh: '秒' })],
  ] as const;
  const first = units.findIndex(([count]) => count > 0);
  const shown = units.slice(first < 0 ? 3 : first, (first < 0 ? 3 : first) + 2);
  return shown.map(([count, unit]) => `${count} ${unit}`).join(' ');
}

/** Milliseconds as seconds with two digits; empty for 0: never measured. */
export function formatResponse(ms: number): string {
  if (ms === 0) return '';
  return ms < 10 ? '<0.01 s' : `${(ms / 1000).toFixed(2)} s`;
}
