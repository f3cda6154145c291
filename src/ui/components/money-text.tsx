/** An amount, drawn: what does not count is dim (docs/rules/console.md#money). */
import type { FormattedMoney } from '../../core/pricing/format.ts';
import { useMoney } from '../hooks/use-money.ts';
import classes from './money-text.module.css';

function Drawn({
  money,
  dims,
  large = false,
}: {
  money: FormattedMoney;
  dims: readonly string[];
  large?: boolean;
}) {
  return (
    <span className={large ? classes.large : classes.text}>
      {money.segments.map((segment) => (
        <span
          key={segment.part}
          data-part={segment.part}
          className={dims.includes(segment.part) ? classes.dim : undefined}
        >
          {segment.text}
        </span>
      ))}
    </span>
  );
}

/** A cost in a list: `$0.00` dim, `6738` in ink. */
export function CostText({ quota }: { quota: number }) {
  return <Drawn money={useMoney().cost(quota)} dims={['symbol', 'zeros']} />;
}

/** A sum with two decimals. `large`: a metric, its sign small and raised, its cents dim. */
export function TotalText({ quota, large = false }: { quota: number; large?: boolean }) {
  return (
    <Drawn money={useMoney().total(quota)} dims={large ? ['symbol', 'cents'] : []} large={large} />
  );
}
