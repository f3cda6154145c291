/**
 * Tells people that much of a budget is spent (docs/rules/budgets.md#warnings). The window's row
 * says which threshold was reported, so that each is once, whichever process looks.
 */
import { windowName } from '../entities/budget-window-name.ts';
import { type Language, translate } from '../i18n/translate.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Notice } from '../notices/notice.ts';
import type { NoticeRoutes } from '../notices/notice-routes.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Budget, BudgetWindowRow, Storage, User } from '../storage/storage.ts';
import { playgroundOf } from '../vocabulary/budgets.ts';
import { isAdmin } from '../vocabulary/roles.ts';
import { userStatuses } from '../vocabulary/statuses.ts';
import { listOf } from './budget-index.ts';
import { usedOfFence } from './fence.ts';
import { limitOf, presentBudget } from './present-budget.ts';

export interface BudgetWarningDeps {
  readonly storage: Pick<Storage, 'budgets' | 'tokens' | 'users'>;
  readonly options: Pick<OptionStore, 'get'>;
  readonly routes: NoticeRoutes;
  readonly siteLanguage: () => Language;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Reached {
  readonly budget: Budget;
  readonly window: BudgetWindowRow;
  readonly percent: number;
}

/** The highest threshold, in per cent, that a window has reached; 0: none. */
export function reachedThreshold(budget: Budget, window: BudgetWindowRow, now: number): number {
  const limit = limitOf(budget, window);
  const ofFence = usedOfFence(budget, window, now);
  const reached = listOf(budget.thresholds)
    .map(Number)
    .filter(
      (percent) =>
        window.spent > 0 && (window.spent * 100 >= percent * limit || ofFence >= percent),
    );
  return Math.max(0, ...reached);
}

/** Seconds until the next try after each failure; then the warning is given up. */
const retrySeconds = [60, 300, 900, 1800, 3600];
/** Warnings that are sent at the same time: an address that does not reply takes a while. */
const atOnce = 5;

/** The returned function sends what is due, once. */
export function createBudgetWarnings(
  deps: BudgetWarningDeps,
): (signal: AbortSignal) => Promise<void> {
  const { storage, options, routes, clock, logger } = deps;

  /** Whose money it is: the owner of the token or the user of the window, else who made it. */
  const recipientOf = async (budget: Budget, window: BudgetWindowRow): Promise<User | null> => {
    const { owner, ownerId, each } = budget;
    const playground = playgroundOf(budget, window.subject);
    if (playground !== undefined) return storage.users.find(playground);
    const byToken = each === 'token' ? window.subject : owner === 'token' ? ownerId : undefined;
    if (byToken !== undefined) {
      const token = await storage.tokens.find(Number(byToken));
      return token === null ? null : storage.users.find(token.userId);
    }
    const byUser = each === 'user' ? window.subject : owner === 'user' ? ownerId : undefined;
    return storage.users.find(byUser === undefined ? budget.userId : Number(byUser));
  };

  /** The page where a reader with the right to it raises the limit; undefined: the site's address is not set. */
  const grantLink = (budget: Budget, window: BudgetWindowRow, user: User): string | undefined => {
    const address = options.get('ServerAddress');
    const mayGrant = isAdmin(user.role) || user.id === budget.userId;
    return address === '' || !mayGrant ? undefined : `${address}/budget?grant=${window.id}`;
  };

  const describe = ({ budget, window, percent }: Reached, user: User): Notice => {
    const link = grantLink(budget, window, user);
    const language = deps.siteLanguage();
    const place = '{{value}}';
    const { subject } = window;
    const name = playgroundOf(budget, subject) === undefined ? '' : user.username;
    const whose = windowName(presentBudget(budget), { subject, name }, language);
    const refuses = budget.atEnd === 'refuse';
    return {
      type: `budget_${budget.id}`,
      title: translate(language, 'notice.budget', { site: options.get('SystemName'), percent }),
      content: translate(language, refuses ? 'notice.budget.content' : 'notice.budget.warn', {
        budget: place,
        percent: place,
        spent: place,
        limit: place,
        ...(link !== undefined && { link: place }),
      }),
      values: [
        [budget.name || String(budget.id), whose].filter(Boolean).join(' '),
        String(percent),
        String(window.spent),
        String(limitOf(budget, window)),
        ...(link === undefined ? [] : [link]),
      ],
      ...(link !== undefined && { link }),
    };
  };

  /** Windows whose warning could not be sent: how often, and when it is tried again. */
  const failed = new Map<number, { readonly tries: number; readonly at: number }>();

  /** The claim is given back, so that a later look sends it, until it is given up. */
  const tryLater = async ({ window, percent }: Reached): Promise<void> => {
    const tries = failed.get(window.id)?.tries ?? 0;
    const pause = retrySeconds[tries];
    if (pause === undefined) return;
    failed.set(window.id, { tries: tries + 1, at: nowSeconds(clock) + pause });
    await storage.budgets.noteWarned(window.id, percent, window.warned);
  };

  const warn = async (reached: Reached, signal: AbortSignal): Promise<void> => {
    const { budget, window, percent } = reached;
    // Before it is claimed: a database that is away for a moment loses no warning.
    const user = await recipientOf(budget, window);
    // Claimed before it is sent: a process that dies meanwhile sends nothing twice.
    if (!(await storage.budgets.noteWarned(window.id, window.warned, percent))) return;
    const isActive = user?.deletedAt === null && user.status === userStatuses.active;
    const send = isActive ? routes.find(user) : undefined;
    try {
      if (user !== null) await send?.(describe(reached, user), signal);
      failed.delete(window.id);
    } catch (error) {
      logger.warn({ error, budget: budget.id }, 'a warning about a budget could not be sent');
      await tryLater(reached);
    }
  };

  return async (signal) => {
    const budgets = new Map((await storage.budgets.list()).map((budget) => [budget.id, budget]));
    if (budgets.size === 0) return;
    const now = nowSeconds(clock);
    const due: Reached[] = [];
    const open = await storage.budgets.openWindows(now);
    for (const window of open) {
      const budget = budgets.get(window.budgetId);
      if (budget?.enabled !== true || (failed.get(window.id)?.at ?? 0) > now) continue;
      const percent = reachedThreshold(budget, window, now);
      if (percent > window.warned) due.push({ budget, window, percent });
    }
    const isOpen = new Set(open.map(({ id }) => id));
    for (const id of failed.keys()) if (!isOpen.has(id)) failed.delete(id);
    const failures: unknown[] = [];
    const warnNext = async (): Promise<void> => {
      for (let next = due.shift(); next !== undefined && !signal.aborted; next = due.shift())
        // One that cannot be sent holds up no other.
        await warn(next, signal).catch((error) => failures.push(error));
    };
    await Promise.all(Array.from({ length: atOnce }, warnNext));
    if (failures.length > 0) throw failures[0];
  };
}
