import { expect, test } from 'vitest';
import { groupedNames } from '../../../src/ui/list/grouped-names.ts';

test('equal names stand once, and a long list ends', () => {
  expect(groupedNames(['bulk', 'main', 'bulk', 'bulk'], ', ')).toBe('bulk × 3, main');
  const many = Array.from({ length: 40 }, (_, index) => `c${index}`);
  expect(groupedNames(many, ', ')).toBe('c0, c1, c2, c3, c4, c5, c6, c7, …');
});
