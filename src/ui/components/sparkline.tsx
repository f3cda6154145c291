/**
 * 1.5 px line, 10 % fill, a dot at its end (docs/rules/console.md#charts). Decoration: the figures
 * beside it speak.
 */
import classes from './sparkline.module.css';

const width = 96;
const height = 28;
const margin = 3;

/** The line's points for values of equal distance. */
function sparkPoints(values: readonly number[]): readonly (readonly [number, number])[] {
  const top = Math.max(...values, 0);
  // A balance may be below zero.
  const range = top - Math.min(...values, 0);
  const step = values.length > 1 ? (width - 2 * margin) / (values.length - 1) : 0;
  return values.map((value, index) => [
    margin + index * step,
    range === 0 ? height - margin : margin + ((top - value) / range) * (height - 2 * margin),
  ]);
}

export function Sparkline({ values }: { values: readonly number[] }) {
  if (values.length < 2) return null;
  const points = sparkPoints(values);
  const line = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  const [endX, endY] = points[points.length - 1] ?? [0, 0];
  return (
    <svg
      className={classes.spark}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
      focusable="false"
    >
      <polygon
        className={classes.fill}
        points={`${margin},${height} ${line} ${endX.toFixed(1)},${height}`}
      />
      <polyline className={classes.line} points={line} />
      <circle className={classes.dot} cx={endX} cy={endY} r="2.25" />
    </svg>
  );
}
