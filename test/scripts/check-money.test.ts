import { expect, it } from 'vitest';
import { roundedMoney } from '../../scripts/check-money.ts';

it('finds money that is rounded where it is shown, by its words or by its file', () => {
  const lines = [
    'const a = `$${value.toFixed(2)}`;', // 1
    'const b = order.money.toFixed(2);', // 2
    "amount.toLocaleString('en-US', { maximumFractionDigits: 2 });", // 3
    "new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' });", // 4
    'const seconds = time.toFixed(2);',
    'const length = bytes.toFixed(1); // of the price list',
    'const duration = row.duration.toFixed(1);',
    '// price.toFixed(2)',
    'const short = value.toFixed(6);', // in a file of prices
  ];
  const source = lines.join('\n');
  expect(roundedMoney('src/ui/routes/log/cells.tsx', source)).toEqual([1, 2, 3, 4]);
  expect(roundedMoney('src/ui/routes/setting/prices/columns.tsx', source)).toEqual([
    1, 2, 3, 4, 6, 7, 9,
  ]);
  expect(roundedMoney('src/core/pricing/format.ts', source)).toEqual([]);
});
