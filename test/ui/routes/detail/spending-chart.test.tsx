// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Series } from '../../../../src/ui/routes/detail/series.ts';
import { SpendingChart } from '../../../../src/ui/routes/detail/spending-chart.tsx';
import type { Usage } from '../../../../src/ui/routes/detail/use-usage.ts';
import { prepareConsole, show } from '../../support/render.tsx';

prepareConsole();

// Half a cent each: rounded to cents, the lines would say $0.03 and the total $0.02.
const models = { a: 2500, b: 2500, c: 2500 };
const usage: Usage = {
  from: 0,
  buckets: [{ start: 1_795_176_000, quota: 7500, count: 3, tokens: 3, models }],
  models: [],
  quota: 7500,
  count: 3,
  tokens: 3,
  to: 0,
  outcomes: { succeeded: 0, failed: 0, refused: 0, unlogged: 0 },
  quotaBefore: 0,
};
const series: readonly Series[] = (['a', 'b', 'c'] as const).map((model) => ({
  label: model,
  color: 'red',
  of: (quota) => quota[model] ?? 0,
}));

describe('the spending chart', () => {
  it('shows lines that add up to the total beside them', () => {
    show(<SpendingChart usage={usage} series={series} granularity="day" />);
    const slot = screen.getByRole('img', { name: /^Spending/ }).querySelector('div');
    if (slot === null) throw new Error('no bar');
    fireEvent.pointerEnter(slot);
    const amounts = [...document.body.innerHTML.matchAll(/\$(\d+\.\d{6})/g)].map(([, amount]) => Number(amount));
    const [total = 0, ...lines] = amounts.sort((x, y) => y - x);
    expect(lines).toEqual([0.005, 0.005, 0.005]);
    expect(lines.reduce((sum, line) => sum + line, 0)).toBeCloseTo(total, 9);
  });
});
