/** When an event was written, in its text: by a clock that all processes of a machine share. */

const microseconds = (): number => Number(process.hrtime.bigint() / 1000n);

/** A text with the time of now. */
export const timeText = (): string => ` at=${microseconds()}`;

/** Milliseconds since the times in what arrived just now. */
export function readTimes(data: Buffer): readonly number[] {
  const now = microseconds();
  return Array.from(
    data.toString('latin1').matchAll(/ at=(\d+)/g),
    ([, written]) => (now - Number(written)) / 1000,
  );
}
