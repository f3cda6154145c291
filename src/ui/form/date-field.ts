/**
 * The text of a datetime-local field, in the reader's time zone, and the Unix seconds it means; −1
 * is never, an empty field.
 */
const never = -1;
const pad = (value: number) => String(value).padStart(2, '0');

export function fieldOfTime(seconds: number): string {
  if (seconds === never || !Number.isFinite(seconds)) return '';
  const at = new Date(seconds * 1000);
  const day = `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
  return `${day}T${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`;
}

/** NaN when it is no time. */
export function timeOfField(text: string): number {
  return text === '' ? never : Math.floor(new Date(text).getTime() / 1000);
}
