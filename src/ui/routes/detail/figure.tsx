/** How the figures of a chart are written: amounts as the site shows them, or counts. */
import type { ReactNode } from 'react';
import { formatCount, formatTokenCount } from '../../../core/pricing/format.ts';
import { CostText } from '../../components/money-text.tsx';
import { useMoney } from '../../hooks/use-money.ts';

export interface Figure {
  /** What one unit of the axis is worth. */
  readonly unit: number;
  /** The axis has whole numbers only. */
  readonly whole: boolean;
  /** The text of a tick, which is in units. */
  tick(value: number, places: number): string;
  /** Exact, so that lines add up to the total beside them. */
  text(value: number): string;
  draw(value: number): ReactNode;
}

/** From here on the labels of ticks are shortened: `$12.5k`. */
const shortFrom = 10_000;
const shortened = (value: number) =>
  Math.abs(value) >= shortFrom ? formatTokenCount(value) : formatCount(value);

const counts: Figure = {
  unit: 1,
  whole: true,
  tick: shortened,
  text: formatCount,
  draw: formatCount,
};

export function useFigure(isMoney: boolean): Figure {
  const { display, quotaPerUnit, cost } = useMoney();
  if (!isMoney) return counts;
  const whole = (quota: number) => Math.round(quota);
  return {
    unit: display.inCurrency ? quotaPerUnit : 1,
    whole: !display.inCurrency,
    tick: (value, places) => {
      if (!display.inCurrency) return shortened(value);
      const size = Math.abs(value);
      const text =
        size >= shortFrom ? formatTokenCount(size) : size.toFixed(size === 0 ? 0 : places);
      return `${value < 0 ? '−' : ''}${display.symbol ?? '$'}${text}`;
    },
    text: (quota) => cost(whole(quota)).text,
    draw: (quota) => <CostText quota={whole(quota)} />,
  };
}
