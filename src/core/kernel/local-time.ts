/** `2026-11-03 19:04:52`, in the server's time zone. */
export function localTimeText(seconds: number): string {
  const at = new Date(seconds * 1000);
  const two = (part: number) => String(part).padStart(2, '0');
  const date = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  return `${date} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')}`;
}

/** Midnight in the server's zone, Unix seconds. `now`: milliseconds. */
export function startOfLocalDay(now: number): number {
  return Math.floor(new Date(now).setHours(0, 0, 0, 0) / 1000);
}
