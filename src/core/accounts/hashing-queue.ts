import { AppError } from '../kernel/errors.ts';

/**
 * Runs computations one after the other. Each occupies a thread of Node's pool, which files, names
 * and compression use too, so a flood of sign-ins must not take them all
 * (docs/rules/accounts.md#hashing-queue).
 */
export interface HashingQueue {
  /** Throws AppError sign_in_busy if too many are waiting. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Throws AppError sign_in_busy if {@link run} would. */
  checkRoom(): void;
}

export function createHashingQueue(mostWaiting: number): HashingQueue {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  const checkRoom = (): void => {
    if (waiting >= mostWaiting) throw new AppError('sign_in_busy', { seconds: 1 });
  };
  return {
    checkRoom,
    run: async (work) => {
      checkRoom();
      waiting += 1;
      const result = last.then(work).finally(() => {
        waiting -= 1;
      });
      last = result.catch(() => undefined);
      return result;
    },
  };
}
