import type { App } from '../../core/app.ts';
import type { Statement } from '../../core/billing/statement.ts';
import { statementFile } from '../../core/billing/statement-csv.ts';
import { dayText, monthText } from '../../core/billing/statement-months.ts';
import type { StatementEntity, statementApi } from '../../core/contract/statement.ts';
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
  return {
    get: async (scope, context) => {
      const { id, username } = await userOf(scope, context);
      return presentStatement(await billing.statement(id, readMonth(scope.month)), username);
    },
    movements: async ({ kind, ...input }, context) => {
      const { id } = await userOf(input, context);
      const page = await billing.movements(
        id,
        readMonth(input.month),
        pageRequest(input.p, input.page_size),
        kind,
      );
      return pageReply(page, input, presentPosting);
    },
    export: async (scope, context) => {
      const { id } = await userOf(scope, context);
      const statement = await billing.statement(id, readMonth(scope.month));
      return statementFile(billing, statement, site.options.get('QuotaPerUnit'));
    },
  };
}

function readMonth(text: string): number;
function readMonth(text: string | undefined): number | undefined;
function readMonth(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text.replace('-', ''));
}

function presentStatement(statement: Statement, username: string): StatementEntity {
  const {
    userId,
    month,
    isClosed,
    opening,
    closing,
    difference,
    sums,
    charges,
    movements,
    months,
  } = statement;
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
    movements: movements.items.map(presentPosting),
    movements_total: movements.total,
    months: months.map(monthText),
  };
}
