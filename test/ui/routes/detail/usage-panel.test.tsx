// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { UsagePanel } from '../../../../src/ui/routes/detail/usage-panel.tsx';
import type { Usage } from '../../../../src/ui/routes/detail/use-usage.ts';
import { prepareConsole, show } from '../../support/render.tsx';
import { usage } from './usage-fixture.ts';

prepareConsole();

type Props = Parameters<typeof UsagePanel>[0];
function showPanel(props: Partial<Props> = {}) {
  const onChange = vi.fn();
  show(<UsagePanel usage={usage} measure="quota" asTable={false} onChange={onChange} {...props} />);
  return onChange;
}

/** The cells of each row of the table. */
const table = () =>
  screen
    .getAllByRole('row')
    .map((row) =>
      [...row.querySelectorAll('th,td')].map((cell) =>
        cell.textContent?.replace(/^\d\d-\d\d /, ''),
      ),
    );

describe('the chart of usage', () => {
  it('shows lines that add up to the total beside them', () => {
    // Half a cent each: rounded to cents, the lines would say $0.03 and the total $0.02.
    const model = (name: string) => ({
      model_name: name,
      quota: 2500,
      count: 1,
      tokens: 1,
      spans: { quota: [2500, 0], count: [1, 0], tokens: [1, 0] },
    });
    const three: Usage = { ...usage, models: ['a', 'b', 'c'].map(model) };
    showPanel({ usage: three });
    const slot = screen.getByRole('img', { name: 'Spending, $0.015000' }).querySelector('div');
    if (slot === null) throw new Error('no bar');
    fireEvent.pointerEnter(slot);
    const amounts = [...(document.body.textContent ?? '').matchAll(/\$(\d+\.\d{6})/g)].map(
      ([, amount]) => Number(amount),
    );
    const [total = 0, ...lines] = amounts.sort((x, y) => y - x);
    expect(lines).toEqual([0.005, 0.005, 0.005]);
    expect(lines.reduce((sum, line) => sum + line, 0)).toBeCloseTo(total, 9);
  });

  it('has the same figures as a table, with a row for every hour', () => {
    showPanel({ measure: 'count', asTable: true });
    expect(table()).toEqual([
      ['Time', 'dear', 'free', 'Total'],
      [expect.any(String), '1', '5', '6'],
      [expect.any(String), '1', '0', '1'],
    ]);
  });

  it('names what is spent on, and leaves out models that cost nothing', () => {
    showPanel();
    const names = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(names).toEqual(['dear']);
  });

  it('shows the balance, also below zero', () => {
    showPanel({ measure: 'balance' });
    expect(screen.getByRole('img', { name: 'Balance, −$0.100000' })).toBeTruthy();
    expect(document.body.textContent).toContain('−$0.5');
  });

  it('shows the balance as a table', () => {
    showPanel({ measure: 'balance', asTable: true });
    expect(table()).toEqual([
      ['Time', 'At the end'],
      [expect.any(String), '$1.400000'],
      [expect.any(String), '−$0.100000'],
    ]);
  });

  it('hangs what was paid back from zero, and stays within its scale', () => {
    const model = (name: string, quota: number) => ({
      model_name: name,
      ...{ quota, count: 1, tokens: 1 },
      spans: { quota: [quota, 0], count: [1, 0], tokens: [1, 0] },
    });
    const models = [model('spent', 1_000_000), model('repaid', -900_000)];
    showPanel({ usage: { ...usage, models } });
    const [slot] = screen.getByRole('img', { name: 'Spending, $0.200000' }).querySelectorAll('div');
    const heights = (bars: Element | null | undefined) =>
      [...(bars?.children ?? [])].flatMap((bar) =>
        bar.tagName === 'I' ? [Number.parseFloat((bar as HTMLElement).style.height)] : [],
      );
    const zero = slot?.querySelector<HTMLElement>('div');
    // From −2 to 2.
    expect(zero?.style.height).toBe('50%');
    expect(heights(slot)).toEqual([50]);
    expect(heights(zero)).toEqual([90]);
  });

  it('draws a balance of one span', () => {
    showPanel({
      measure: 'balance',
      usage: { ...usage, balance: { opening: 0, closing: [500_000] } },
    });
    expect(document.querySelector('polyline')?.getAttribute('points')).toBe('0,0 50,0');
  });

  it('keeps the figures of a span that a finger has touched until the next touch', () => {
    showPanel();
    const chart = screen.getByRole('img', { name: /^Spending/ });
    const slot = chart.querySelector('div');
    if (slot === null) throw new Error('no bar');
    const tip = () => document.body.textContent?.includes('$0.400000');
    fireEvent.pointerEnter(slot, { pointerType: 'touch' });
    expect(tip()).toBe(true);
    fireEvent.pointerLeave(chart.parentElement as HTMLElement, { pointerType: 'touch' });
    expect(tip()).toBe(true);
    fireEvent.touchStart(document.body);
    expect(tip()).toBe(false);
    fireEvent.pointerEnter(slot, { pointerType: 'mouse' });
    fireEvent.pointerLeave(chart.parentElement as HTMLElement, { pointerType: 'mouse' });
    expect(tip()).toBe(false);
  });

  it('offers no balance of all users together', () => {
    showPanel({ measure: 'balance', usage: { ...usage, balance: null } });
    expect(screen.getByRole('heading', { name: 'Spending' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: /^Show\s?Spending/ }));
    expect(screen.queryByRole('menuitem', { name: 'Balance' })).toBeNull();
  });

  it('says what was chosen', () => {
    const onChange = showPanel();
    fireEvent.click(screen.getByRole('button', { name: 'Show as table' }));
    expect(onChange).toHaveBeenCalledWith({ asTable: true });
  });
});
