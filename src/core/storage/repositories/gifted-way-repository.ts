import type { GiftedWayRepository } from '../entities/gifted-way.ts';
import type { Access } from './access.ts';

export function createGiftedWayRepository({ write }: Access): GiftedWayRepository {
  return {
    async note(ways, at) {
      if (ways.length === 0) return true;
      const noted = await write
        .insertInto('gifted_ways')
        .values(ways.map((way) => ({ way, created_at: at })))
        .onConflict((conflict) => conflict.column('way').doNothing())
        .returning('way')
        .execute();
      return noted.length === ways.length;
    },
  };
}
