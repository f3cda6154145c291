import type { App } from '../../core/app.ts';
import type { Statement } from '../../core/billing/statement.ts';
import { statementFile } from '../../core/billing/statement-csv.ts';
import { dayText, monthText } from '../../core/billing/statement-months.ts';
import type { StatementEntity, statementApi } from '../../core/contract/statement.ts';
import { subjectText } from '../../core/entities/posting-subject.ts';
import { methodName } from '../../core/i18n/method-name.ts';
import { AppError } from '../../core/kernel/errors.ts';
import { addQuota } from '../../core/kernel/quota.ts';
import { presentPosting } from '../../core/logs/present-log.ts';
import type { LedgerKind } from '../../core/vocabulary/ledger-kinds.ts';
import { isAdmin } from '../../core/vocabulary/roles.ts';
import { actorOf, type CallContext, type Handlers, pageReply, pageRequest } from './context.ts';

interface Scope {
  readonly user_id?: number | undefined;
  readonly month?: string | undefined;
}

export function statementHandlers({ billing, accounts, site }: App): Handlers<typeof statementApi> {
  /**
   * Whose statement it is. Throws AppError user_read_forbidden, and not_found to administrators.
   */
  const userOf = ({ user_id }: Scope, context: CallContext) => {
    const actor = actorOf(context);
    if (user_id === undefined || user_id === actor.id) return accounts.own.get(actor.id);
    // Whether the user exists is nothing for other customers.
    if (!isAdmin(actor.role)) throw new AppError('user_read_forbidden');
    return accounts.users.get(actor, user_id);
  };
  /** Presents postings with what they are about, as far as the reader may know it. */
  const present = async (postings: Statement['movements']['items'], context: CallContext) => {
    const subjects = await billing.subjects(postings, isAdmin(actorOf(context).role));
    return postings.map((posting) => presentPosting(posting, subjects.get(posting.id)));
  };
  return {
    get: async (scope, context) => {
      const { id, username } = await userOf(scope, context);
      const statement = await billing.statement(id, readMonth(scope.month));
      const movements = await present(statement.movements.items, context);
      return presentStatement(statement, username, movements);
    },
    movements: async ({ kind, ...input }, context) => {
      const { id } = await userOf(input, context);
      const page = await billing.movements(
        id,
        readMonth(input.month),
        pageRequest(input.p, input.page_size),
        kind,
      );
      return pageReply({ ...page, items: await present(page.items, context) }, input, asItIs);
    },
    export: async (scope, context) => {
      const { id } = await userOf(scope, context);
      const statement = await billing.statement(id, readMonth(scope.month));
      const { language } = context;
      return statementFile(billing, statement, {
        quotaPerUnit: site.options.get('QuotaPerUnit'),
        describe: async (postings) =>
          (await present(postings, context)).map((row) =>
            subjectText(row, language, (method) => methodName(language, method)),
          ),
      });
    },
  };
}

const asItIs = <Row>(row: Row): Row => row;

function readMonth(text: string): number;
function readMonth(text: string | undefined): number | undefined;
function readMonth(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text.replace('-', ''));
}

function presentStatement(
  statement: Statement,
  username: string,
  movements: StatementEntity['movements'],
): StatementEntity {
  const { userId, month, isClosed, opening, closing, difference, sums, charges, months } =
    statement;
  const kinds = new Map<LedgerKind, { kind: LedgerKind; count: number; amount: number }>();
  for (const { kind, count, amount } of sums) {
    const sum = kinds.get(kind);
    kinds.set(kind, {
      kind,
      count: (sum?.count ?? 0) + count,
      amount: addQuota(sum?.amount ?? 0, amount),
    });
  }
  return {
    user_id: userId,
    username,
    month: monthText(month),
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    closed: isClosed,
    opening,
    closing,
    difference,
    kinds: [...kinds.values()],
    days: sums.map(({ day, kind, count, amount }) => ({ day: dayText(day), kind, count, amount })),
    charges: charges.map(({ day, ...rest }) => ({ day: dayText(day), ...rest })),
    movements,
    movements_total: statement.movements.total,
    months: months.map(monthText),
  };
}
