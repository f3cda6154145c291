/**
 * What all charts share: horizontal hairlines, labels, and a tip for the span under the pointer
 * (docs/rules/console.md#charts).
 */
import { type ReactNode, useState } from 'react';
import { usePhone } from '../../hooks/use-phone.ts';
import { rangeAxisOf } from './axis.ts';
import { bucketLabel, type Granularity } from './bucket-label.ts';
import classes from './chart.module.css';
import type { Figure } from './figure.tsx';

/** Labels below the spans. */
const mostLabels = { wide: 8, phone: 4 };

export interface ChartSpans {
  readonly starts: readonly number[];
  readonly by: Granularity;
}

interface ChartFrameProps extends ChartSpans {
  readonly figure: Figure;
  readonly smallest: number;
  readonly largest: number;
  /** What the chart shows, for those who do not see it. */
  readonly label: string;
  /** Draws a span; `share` is the height of a value in percent of the plot. */
  readonly span?: (index: number, share: (value: number) => string) => ReactNode;
  /** Draws over all spans; `height` is a value's place between 0 (bottom) and 1. */
  readonly over?: (height: (value: number) => number) => ReactNode;
  readonly tip: (index: number) => ReactNode;
}

export function ChartFrame({
  starts,
  by,
  figure,
  smallest,
  largest,
  label,
  span,
  over,
  tip,
}: ChartFrameProps) {
  const phone = usePhone();
  const [shown, setShown] = useState<number>();
  const axis = rangeAxisOf(smallest / figure.unit, largest / figure.unit, figure.whole);
  const place = (units: number) => (units - axis.bottom) / (axis.top - axis.bottom);
  const percent = (part: number) => `${part * 100}%`;
  const every = Math.ceil(starts.length / (phone ? mostLabels.phone : mostLabels.wide));
  return (
    <div className={classes.chart} onPointerLeave={() => setShown(undefined)}>
      <div className={classes.ticks} aria-hidden="true">
        {axis.ticks.map((tick) => (
          <span key={tick} style={{ bottom: percent(place(tick)) }}>
            {figure.tick(tick, axis.places)}
          </span>
        ))}
      </div>
      <div className={classes.plot} role="img" aria-label={label}>
        {axis.ticks.map((tick) => (
          <i key={tick} className={classes.grid} style={{ bottom: percent(place(tick)) }} />
        ))}
        {starts.map((start, index) => (
          <div
            key={start}
            className={classes.slot}
            data-shown={shown === index || undefined}
            onPointerEnter={() => setShown(index)}
          >
            {span?.(index, (value) => percent(place(value / figure.unit) - place(0)))}
          </div>
        ))}
        {over?.((value) => place(value / figure.unit))}
        {shown !== undefined && shown < starts.length && (
          <div className={classes.place} style={tipPlace(shown, starts.length)}>
            {tip(shown)}
          </div>
        )}
      </div>
      <div className={classes.labels} aria-hidden="true">
        {starts.map((start, index) => (
          <span key={start}>{index % every === 0 && <b>{bucketLabel(start, by)}</b>}</span>
        ))}
      </div>
    </div>
  );
}

/** Beside its span, on the side that has more room. */
function tipPlace(index: number, count: number) {
  return index < count / 2
    ? { left: `${((index + 1) / count) * 100}%` }
    : { right: `${((count - index) / count) * 100}%` };
}
