/** Charges of a month by model and by day. */
import type { StatementEntity } from '../../../core/contract/statement.ts';
import { formatCount } from '../../../core/pricing/format.ts';
import { CostText } from '../../components/money-text.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { addUp, type ChargeSum } from './charge-sums.ts';
import classes from './statement.module.css';

export function ChargeDetails({ statement }: { readonly statement: StatementEntity }) {
  const { t } = useTranslation();
  const { models, days } = addUp(statement);
  return (
    <div className={classes.details}>
      <ChargeTable
        title={t('statement.byModel')}
        label={t('statement.column.model')}
        rows={models}
        unnamed={t('statement.otherModels')}
      />
      <ChargeTable
        title={t('statement.byDay')}
        label={t('statement.column.day')}
        rows={days}
        unnamed=""
      />
    </div>
  );
}

interface ChargeTableProps {
  readonly title: string;
  readonly label: string;
  readonly rows: readonly ChargeSum[];
  /** Names the rest of which no model is known. */
  readonly unnamed: string;
}

function ChargeTable({ title, label, rows, unnamed }: ChargeTableProps) {
  const { t } = useTranslation();
  return (
    <table className={classes.inner}>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">{label}</th>
          <th scope="col" data-numeric>
            {t('statement.column.count')}
          </th>
          <th scope="col" data-numeric>
            {t('statement.column.tokens')}
          </th>
          <th scope="col" data-numeric>
            {t('statement.column.amount')}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, requests, tokens, quota }) => (
          <tr key={name}>
            <td>{name || unnamed}</td>
            <td data-numeric>{formatCount(requests)}</td>
            <td data-numeric>{tokens === 0 ? '—' : formatCount(tokens)}</td>
            <td data-numeric>
              <CostText quota={-quota} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
