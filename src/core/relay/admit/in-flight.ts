/**
 * Bounds what one user may have under way at the same time where it is free, so that no hold bounds
 * it.
 */
import { AppError } from '../../kernel/errors.ts';

export interface InFlight {
  /** Throws AppError('rate_limited') where the user has `most` of them under way. */
  run<T>(userId: number, work: () => Promise<T>): Promise<T>;
}

export function createInFlight(most: number): InFlight {
  const underWay = new Map<number, number>();
  return {
    run: async (userId, work) => {
      const count = underWay.get(userId) ?? 0;
      if (count >= most) throw new AppError('rate_limited', { seconds: 1, retryAfter: 1 });
      underWay.set(userId, count + 1);
      try {
        return await work();
      } finally {
        const left = (underWay.get(userId) ?? 1) - 1;
        if (left === 0) underWay.delete(userId);
        else underWay.set(userId, left);
      }
    },
  };
}
