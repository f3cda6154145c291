/** Charges of a month by model and by day. */
import type { StatementEntity } from '../../../core/contract/statement.ts';
import { formatCount } from '../../../core/pricing/format.ts';
import { CostText } from '../../components/money-text.tsx';
import { useTranslation } from '../../i18n/index.ts';
import classes from './statement.module.css';

interface ChargeSum {
  /** A model or a day; '' is the rest of which no model is known. */
  readonly name: string;
  readonly requests: number;
  readonly tokens: number;
  /** Positive. */
  readonly quota: number;
}

type Cell = { requests: number; tokens: number; quota: number };

/** Charges by model, the largest first, and by day; both add up to all charges of the statement. */
function addUp({ charges, days }: StatementEntity): {
  readonly models: readonly ChargeSum[];
  readonly days: readonly ChargeSum[];
} {
  const models = new Map<string, Cell>();
  const tokensOfDay = new Map<string, number>();
  for (const { model, day, requests, tokens, quota } of charges) {
    const cell = models.get(model) ?? { requests: 0, tokens: 0, quota: 0 };
    models.set(model, {
      requests: cell.requests + requests,
      tokens: cell.tokens + tokens,
      quota: cell.quota + quota,
    });
    tokensOfDay.set(day, (tokensOfDay.get(day) ?? 0) + tokens);
  }
  const daily = days
    .filter(({ kind }) => kind === 'charge')
    .map(({ day, count, amount }) => ({
      name: day,
      requests: count,
      tokens: tokensOfDay.get(day) ?? 0,
      quota: -amount,
    }));
  const sum = (cells: Iterable<Cell>, of: 'requests' | 'quota') =>
    [...cells].reduce((total, cell) => total + cell[of], 0);
  const rest = sum(daily, 'quota') - sum(models.values(), 'quota');
  const named = [...models]
    .map(([name, cell]) => ({ name, ...cell }))
    .sort((a, b) => b.quota - a.quota);
  const requests = Math.max(0, sum(daily, 'requests') - sum(models.values(), 'requests'));
  return {
    models: rest === 0 ? named : [...named, { name: '', requests, tokens: 0, quota: rest }],
    days: daily,
  };
}

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
