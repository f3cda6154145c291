/** Whether the work ends in these milliseconds. Rejects as the work does. */
export function endsWithin(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const { promise: over, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), milliseconds);
  const ended = work.then(() => true);
  return Promise.race([ended, over]).finally(() => clearTimeout(timer));
}

/** Resolves when the work is done or failed, or the milliseconds are over. */
export async function atMost(milliseconds: number, work: Promise<void>): Promise<void> {
  await endsWithin(
    milliseconds,
    work.catch(() => undefined),
  );
}
