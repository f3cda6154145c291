/** Whether the work ends in these ms. Rejects as the work does. */
export async function within(limit: number, work: Promise<unknown>): Promise<boolean> {
  const { promise: over, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), limit);
  const ended = work.then(() => true);
  return Promise.race([ended, over]).finally(() => clearTimeout(timer));
}
