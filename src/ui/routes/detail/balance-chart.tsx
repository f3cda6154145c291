/** The balance at the end of each span: a line, which may go below zero. */
import { useTranslation } from '../../i18n/index.ts';
import { bucketTitle } from './bucket-label.ts';
import classes from './chart.module.css';
import { ChartFrame, type ChartSpans } from './chart-frame.tsx';
import type { Figure } from './figure.tsx';

interface BalanceChartProps extends ChartSpans {
  /** One per span that has begun. */
  readonly values: readonly number[];
  readonly figure: Figure;
}

export function BalanceChart({ starts, by, values, figure }: BalanceChartProps) {
  const { t } = useTranslation();
  const x = (index: number) => ((index + 0.5) / starts.length) * 100;
  // One alone has no line: it is drawn as wide as its span.
  const places = values.length === 1 ? [-0.5, 0.5] : values.map((_, index) => index);
  return (
    <ChartFrame
      starts={starts}
      by={by}
      figure={figure}
      smallest={Math.min(0, ...values)}
      largest={Math.max(0, ...values)}
      label={`${t('detail.measure.balance')}, ${figure.text(values.at(-1) ?? 0)}`}
      over={(height) => (
        <svg
          className={classes.line}
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          aria-hidden="true"
          focusable="false"
        >
          <polyline
            points={places
              .map(
                (at) => `${x(at)},${100 - height(values[Math.max(0, Math.floor(at))] ?? 0) * 100}`,
              )
              .join(' ')}
          />
        </svg>
      )}
      tip={(index) => (
        <div className={classes.tip}>
          <div className={classes.tipHead}>
            <span>{bucketTitle(starts[index] ?? 0, by)}</span>
            {values[index] === undefined ? '–' : figure.text(values[index])}
          </div>
        </div>
      )}
    />
  );
}
