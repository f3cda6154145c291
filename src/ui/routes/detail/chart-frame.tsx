/**
 * What all charts share: horizontal hairlines, labels, and a tip for the span under the pointer
 * (docs/rules/console.md#charts).
 */
import { useClickOutside } from '@mantine/hooks';
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

interface Bar {
  readonly key: string;
  readonly color: string;
  readonly value: number;
}

interface ChartFrameProps extends ChartSpans {
  readonly figure: Figure;
  readonly smallest: number;
  readonly largest: number;
  /** What the chart shows, for those who do not see it. */
  readonly label: string;
  /** The bars of a span, one upon the other: what is below zero hangs from it. */
  readonly bars?: (index: number) => readonly Bar[];
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
  bars,
  over,
  tip,
}: ChartFrameProps) {
  const phone = usePhone();
  const [shown, setShown] = useState<number>();
  const axis = rangeAxisOf(smallest / figure.unit, largest / figure.unit, figure.whole);
  const place = (units: number) => (units - axis.bottom) / (axis.top - axis.bottom);
  const percent = (part: number) => `${part * 100}%`;
  // A finger that is lifted has left as well: what it touched stays in sight until the next touch.
  const leave = () => setShown(undefined);
  const chart = useClickOutside<HTMLDivElement>(leave);
  const every = Math.ceil(starts.length / (phone ? mostLabels.phone : mostLabels.wide));
  return (
    <div
      ref={chart}
      className={classes.chart}
      onPointerLeave={({ pointerType }) => pointerType !== 'touch' && leave()}
    >
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
            {axis.bottom < 0 && bars !== undefined && (
              <div className={classes.below} style={{ height: percent(place(0)) }}>
                {bars(index)
                  .filter(({ value }) => value < 0)
                  .map(({ key, color, value }) => (
                    <i
                      key={key}
                      style={{
                        height: percent(value / figure.unit / axis.bottom),
                        background: color,
                      }}
                    />
                  ))}
              </div>
            )}
            {bars?.(index)
              .filter(({ value }) => value > 0)
              .map(({ key, color, value }) => (
                <i
                  key={key}
                  style={{
                    height: percent(place(value / figure.unit) - place(0)),
                    background: color,
                  }}
                />
              ))}
          </div>
        ))}
        {over?.((value) => place(value / figure.unit))}
        {shown !== undefined && shown < starts.length && (
          <div
            className={classes.place}
            style={phone ? undefined : tipPlace(shown, starts.length)}
            data-below={phone || undefined}
          >
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

/** Beside its span, on the side that has more room; phones have none beside. */
function tipPlace(index: number, count: number) {
  return index < count / 2
    ? { left: `${((index + 1) / count) * 100}%` }
    : { right: `${((count - index) / count) * 100}%` };
}
