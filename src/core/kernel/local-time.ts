/** `2026-11-03 19:04:52`, in the server's time zone. */
export function localTimeText(seconds: number): string {
  const at = new Date(seconds * 1000);
  const two = (part: number) => String(part).padStart(2, '0');
  const date = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  return `${date} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')}`;
}
