import { expect, it } from 'vitest';
import { decimal } from '../../../../src/core/kernel/decimal.ts';
import {
  listPriceOf,
  marginOver,
  priceText,
} from '../../../../src/ui/routes/setting/prices/list-prices.ts';

it('reads the list price per million tokens of each kind, and none of a model that nobody lists', () => {
  const price = (kind: 'input' | 'output' | 'cached' | 'image') => {
    const found = listPriceOf('gpt-4o', kind, 500_000);
    return found && priceText(found);
  };
  expect([price('input'), price('output'), price('cached'), price('image')]).toEqual([
    '$2.50',
    '$10.00',
    '$1.25',
    undefined,
  ]);
  expect(listPriceOf('no-such-model', 'input', 500_000)).toBeUndefined();
  expect(listPriceOf('', 'input', 500_000)).toBeUndefined();
});

it.each([
  ['2.5', '3', '+20%', false],
  ['3', '2', '−33.3%', true],
  ['10', '0', '−100%', true],
])('of a list price of %s, %s is %s', (list, sold, text, isBelow) => {
  expect(marginOver(decimal(list), decimal(sold))).toEqual({ text, isBelow });
});

it('says no margin over a list price of 0, or of what is not typed yet', () => {
  expect(marginOver(decimal('0'), decimal('1'))).toBeUndefined();
  expect(marginOver(decimal('2.5'), decimal('2.5'))).toBeUndefined();
  expect(marginOver(decimal('2'), undefined)).toBeUndefined();
});
