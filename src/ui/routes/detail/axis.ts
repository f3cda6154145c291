/**
 * The scale of a chart's values: four steps at most, from zero, all of them round
 * (docs/rules/console.md#charts).
 */

const mostSteps = 4;
const roundSteps = [1, 2, 5, 10];

export interface Axis {
  /** From 0 to the first round value that is not below the largest one. */
  readonly ticks: readonly number[];
  readonly top: number;
  /** Decimal places that write every tick exactly. */
  readonly places: number;
}

/** `whole`: the values are integers. A chart without values has the ticks 0 and 1. */
export function axisOf(largest: number, whole: boolean): Axis {
  const rough = Math.max(largest > 0 ? largest / mostSteps : 1, whole ? 1 : 0);
  const power = Math.floor(Math.log10(rough));
  // What is only a rounding error above a round step still fits it.
  const factor = roundSteps.find((step) => step * 10 ** power >= rough * (1 - 1e-9)) ?? 10;
  const exponent = factor === 10 ? power + 1 : power;
  const digit = factor === 10 ? 1 : factor;
  const places = Math.max(0, -exponent);
  const tick = (index: number) => Number((index * digit * 10 ** exponent).toFixed(places));
  const steps = Math.max(1, Math.ceil((largest / (digit * 10 ** exponent)) * (1 - 1e-9)));
  const ticks = Array.from({ length: steps + 1 }, (_, index) => tick(index));
  return { ticks, top: tick(steps), places };
}

/**
 * The same for values that may be below zero: one step for both sides. `bottom`: the lowest tick.
 */
export function rangeAxisOf(
  smallest: number,
  largest: number,
  whole: boolean,
): Axis & { readonly bottom: number } {
  const reach = axisOf(Math.max(largest, -smallest), whole);
  if (smallest >= 0) return { ...reach, bottom: 0 };
  const step = reach.ticks[1] ?? 1;
  const below = Math.ceil(-smallest / step - 1e-9);
  const above = Math.max(0, Math.ceil(largest / step - 1e-9));
  const ticks = Array.from({ length: below + above + 1 }, (_, index) =>
    Number(((index - below) * step).toFixed(reach.places)),
  );
  return { ticks, top: ticks.at(-1) ?? 0, bottom: ticks[0] ?? 0, places: reach.places };
}
