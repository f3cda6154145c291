/** A statement as CSV (docs/rules/ledger.md#statement-csv). */
import type { FileOutput } from '../contract/endpoint.ts';
import { byteOrderMark, type CsvCell, csvLine } from '../kernel/csv.ts';
import { decimal } from '../kernel/decimal.ts';
import { localTimeText } from '../kernel/local-time.ts';
import { amountInUnits } from '../pricing/format-sums.ts';
import type { PageRequest, Posting } from '../storage/storage.ts';
import type { ModelCharges, Statement, StatementService } from './statement.ts';
import { dayText, monthText } from './statement-months.ts';

/** Postings per read. */
const pieceSize = 1000;

const columns = ['date', 'kind', 'detail', 'count', 'quota', 'amount', 'posting_id', 'reference'];

/** How a statement is written. */
export interface StatementLook {
  /** Quota in a currency unit. */
  readonly quotaPerUnit: string | number;
  /** What each of these postings is about, in words. */
  readonly describe: (postings: readonly Posting[]) => Promise<readonly string[]>;
}

/** The amounts between the first line and the last add up to the closing balance. */
export function statementFile(
  service: StatementService,
  statement: Statement,
  { quotaPerUnit, describe }: StatementLook,
): FileOutput {
  const unit = decimal(quotaPerUnit);
  const line = (
    date: string,
    kind: string,
    detail: string,
    count: CsvCell,
    quota: number,
    posting?: Posting,
  ) =>
    csvLine([
      date,
      kind,
      detail,
      count,
      quota,
      amountInUnits(quota, unit),
      posting?.id ?? null,
      posting?.reference ?? '',
    ]);

  async function* chunks(): AsyncGenerator<string> {
    const month = monthText(statement.month);
    yield byteOrderMark +
      csvLine(columns) +
      line(month, 'opening_balance', '', null, statement.opening);
    for await (const postings of allMovements(service, statement)) {
      const details = await describe(postings);
      yield postings
        .map((posting, place) => {
          const { createdAt, kind, amount } = posting;
          return line(localTimeText(createdAt), kind, details[place] ?? '', 1, amount, posting);
        })
        .join('');
    }
    for (const { day, model, requests, quota } of itemize(statement))
      yield line(dayText(day), 'charge', model, requests, -quota);
    if (statement.difference !== 0)
      yield line(month, 'unexplained', '', null, statement.difference);
    yield line(month, 'closing_balance', '', null, statement.closing);
  }
  const name = `statement-${statement.userId}-${monthText(statement.month)}.csv`;
  return { name, type: 'text/csv; charset=utf-8', chunks: chunks() };
}

/** Charges by day and model, and what of a day's charges no model is known for. */
function itemize({ sums, charges }: Statement): readonly ModelCharges[] {
  const rest = new Map(
    sums
      .filter(({ kind }) => kind === 'charge')
      .map(({ day, count, amount }) => [
        day,
        { day, model: '', requests: count, tokens: 0, quota: -amount },
      ]),
  );
  for (const { day, requests, quota } of charges) {
    const open = rest.get(day) ?? { day, model: '', requests: 0, tokens: 0, quota: 0 };
    rest.set(day, {
      ...open,
      requests: Math.max(0, open.requests - requests),
      quota: open.quota - quota,
    });
  }
  const unknown = [...rest.values()].filter(({ quota }) => quota !== 0);
  return [...charges, ...unknown].sort((a, b) => a.day - b.day);
}

/** Piece by piece. */
async function* allMovements(
  service: StatementService,
  { userId, month, movements }: Statement,
): AsyncGenerator<readonly Posting[]> {
  yield movements.items;
  for (let offset = movements.items.length; offset < movements.total; offset += pieceSize) {
    // Without those that were posted since the statement.
    const page: PageRequest = { offset, limit: Math.min(pieceSize, movements.total - offset) };
    yield (await service.movements(userId, month, page)).items;
  }
}
