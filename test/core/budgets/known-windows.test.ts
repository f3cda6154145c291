import { describe, expect, it } from 'vitest';
import type { IndexedBudget, Spender } from '../../../src/core/budgets/budget-index.ts';
import { KnownWindows } from '../../../src/core/budgets/known-windows.ts';
import type { Span } from '../../../src/core/budgets/window.ts';
import { createRandom } from '../../../src/demo/random.ts';

const budget = (id: number) => ({ id }) as IndexedBudget;
const spender = (tokenId: number, userGroup = 'default'): Spender => ({
  tokenId,
  userId: 7,
  userGroup,
});

describe('what the last request of a spender fell under', () => {
  it('is kept for the same model, user and group alone', () => {
    const known = new KnownWindows();
    let searches = 0;
    const under = (who: Spender, model: string) =>
      known.lastUseOf(who, model, () => {
        searches += 1;
        return [budget(searches)];
      }).found?.[0]?.id;
    expect([under(spender(1), 'a'), under(spender(1), 'a')]).toEqual([1, 1]);
    expect([under(spender(1), 'b'), under(spender(1), 'b')]).toEqual([2, 2]);
    expect([under(spender(1, 'vip'), 'b'), under(spender(1), 'b')]).toEqual([3, 4]);
    // Playgrounds of two users have no token.
    expect([under(spender(0), 'a'), under({ ...spender(0), userId: 8 }, 'a')]).toEqual([5, 6]);
    expect(under(spender(0), 'a')).toBe(5);
  });

  it('finds at any time what a plain table of windows has', () => {
    const random = createRandom(20_261_129);
    const known = new KnownWindows<Span>();
    const budgets = [budget(1), budget(2)];
    const table = new Map<string, Span>();
    let found = 0;
    for (let now = 0; now < 4000; now += 1) {
      const place = random.between(0, 1);
      const subject = `conversation ${random.between(1, 3)}`;
      const one = budgets[place] ?? budget(1);
      const use = known.lastUseOf(spender(random.between(0, 1)), 'model', () => budgets);
      const plain = table.get(`${place} ${subject}`);
      const expected = plain !== undefined && now < plain.endsAt ? plain : undefined;
      const window = known.find(use, place, one, subject, now);
      expect(window).toBe(expected);
      if (window !== undefined) found += 1;
      else {
        const opened = { startsAt: now, endsAt: now + random.between(1, 60) };
        known.remember(one, subject, opened, now);
        table.set(`${place} ${subject}`, opened);
      }
    }
    expect(found).toBeGreaterThan(2000);
  });

  it('is forgotten with the windows where there are too many', () => {
    const known = new KnownWindows<Span>();
    const one = budget(1);
    const use = () => known.lastUseOf(spender(1), 'model', () => [one]);
    for (let index = 0; index <= 20_000; index += 1) {
      known.remember(one, String(index), { startsAt: 0, endsAt: 100 }, 1);
      if (index === 0) expect(known.find(use(), 0, one, '0', 1)).toBeDefined();
    }
    expect(known.find(use(), 0, one, '0', 1)).toBeUndefined();
    expect(known.find(use(), 0, one, '20000', 1)).toBeDefined();
  });
});
