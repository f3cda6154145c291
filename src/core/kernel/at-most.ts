/** Resolves when the work is done or failed, or the milliseconds are over. */
export function atMost(milliseconds: number, work: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const limit = setTimeout(resolve, milliseconds);
  work.then(resolve, resolve);
  return promise.finally(() => clearTimeout(limit));
}
