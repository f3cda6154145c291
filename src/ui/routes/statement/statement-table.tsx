import { ChevronDown } from 'lucide-react';
import { Fragment, useState } from 'react';
import type { StatementEntity } from '../../../core/contract/statement.ts';
import { formatCount } from '../../../core/pricing/format.ts';
import { CostText } from '../../components/money-text.tsx';
import { useMoney } from '../../hooks/use-money.ts';
import { useTranslation } from '../../i18n/index.ts';
import { ChargeDetails } from './charge-details.tsx';
import { MovementDetails } from './movement-details.tsx';
import classes from './statement.module.css';

/** Opening balance, each kind of change with its details, closing balance. */
export function StatementTable({ statement }: { readonly statement: StatementEntity }) {
  const { t } = useTranslation();
  const money = useMoney();
  const { kinds, opening, closing, difference, closed } = statement;
  return (
    <>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('statement.column.item')}</th>
            <th scope="col" data-numeric>
              {t('statement.column.count')}
            </th>
            <th scope="col" data-numeric>
              {t('statement.column.amount')}
            </th>
          </tr>
        </thead>
        <tbody>
          <Balance label={t('statement.opening')} quota={opening} />
          {kinds.map((row) => (
            <KindRows
              key={`${statement.user_id} ${statement.month} ${row.kind}`}
              statement={statement}
              row={row}
            />
          ))}
          {kinds.length === 0 && (
            <tr>
              <td colSpan={3} className={classes.empty}>
                {t('statement.empty')}
              </td>
            </tr>
          )}
          {difference !== 0 && (
            <tr className={classes.unsound}>
              <th scope="row">{t('statement.unexplained')}</th>
              <td />
              <td data-numeric>
                <CostText quota={difference} />
              </td>
            </tr>
          )}
          <Balance label={t('statement.closing')} quota={closing} />
        </tbody>
      </table>
      <p className={difference === 0 ? classes.proof : classes.unsound}>
        {difference === 0
          ? t('statement.sound')
          : t('statement.unsound', { amount: money.cost(difference).text })}{' '}
        {t(closed ? 'statement.closed' : 'statement.open')}
      </p>
    </>
  );
}

function Balance({ label, quota }: { readonly label: string; readonly quota: number }) {
  return (
    <tr className={classes.balance}>
      <th scope="row">{label}</th>
      <td />
      <td data-numeric>
        <CostText quota={quota} />
      </td>
    </tr>
  );
}

interface KindRowsProps {
  readonly statement: StatementEntity;
  readonly row: StatementEntity['kinds'][number];
}

/** A kind; its details are always there for the printer. */
function KindRows({ statement, row: { kind, count, amount } }: KindRowsProps) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const name = t(`statement.kind.${kind}`);
  return (
    <Fragment>
      <tr>
        <th scope="row">
          <button
            type="button"
            className={classes.toggle}
            aria-expanded={isOpen}
            aria-label={t(isOpen ? 'statement.hide' : 'statement.show', { name })}
            onClick={() => setIsOpen(!isOpen)}
          >
            <ChevronDown size={14} strokeWidth={1.75} />
            {name}
          </button>
        </th>
        <td data-numeric>{formatCount(count)}</td>
        <td data-numeric data-in={amount > 0 || undefined}>
          <CostText quota={amount} />
        </td>
      </tr>
      <tr className={isOpen ? undefined : classes.folded}>
        <td colSpan={3}>
          {kind === 'charge' ? (
            <ChargeDetails statement={statement} />
          ) : (
            <MovementDetails statement={statement} kind={kind} />
          )}
        </td>
      </tr>
    </Fragment>
  );
}
