/**
 * What was spent and is held in windows of budgets, where one process keeps them in memory
 * (docs/rules/budgets.md#admission). A charge counts as soon as it is known. A window in which
 * nothing is held, and of which every charge is written, may be forgotten: the tables have it.
 */
import type { Storage } from '../storage/storage.ts';
import type { BudgetWindow, WindowAccount, WindowHold } from './ledger.ts';

type Known = Pick<BudgetWindow, 'id' | 'account'>;

type StateOf<Window> = Pick<WindowAccount, 'spent' | 'held' | 'requests'> & {
  readonly window: Window;
  readonly account: WindowAccount;
};

export interface WindowStates {
  /** Reads those that are not known; resolves with the windows that still are. */
  load<Window extends Known>(windows: readonly Window[]): Promise<readonly Window[]>;
  /**
   * As they are in this moment: a caller that decides by them does so without waiting for anything.
   * Undefined: one has to be loaded.
   */
  peek<Window extends Known>(windows: readonly Window[]): readonly StateOf<Window>[] | undefined;
  /** `sign` 1: is held from now on; -1: no more. */
  hold(held: readonly WindowHold[], sign: 1 | -1): void;
  /** At once after its hold was dropped; until it is {@link written} the tables do not have it. */
  charge(held: readonly WindowHold[], amount: number): void;
  written(ids: readonly number[] | undefined): void;
  spend(ids: readonly number[] | undefined, amount: number): void;
}

/** Windows in memory before those in which nothing is held or under way are forgotten. */
const most = 20_000;

export function createWindowStates(budgets: Pick<Storage['budgets'], 'findWindow'>): WindowStates {
  const known = new Map<number, WindowAccount>();
  const loading = new Map<number, Promise<boolean>>();

  /** False: the window is gone. Read once, however many ask at the same time. */
  const read = (id: number): Promise<boolean> => {
    const running =
      loading.get(id) ??
      budgets
        .findWindow(id)
        .then((row) => {
          if (row !== null) {
            const { spent, requests } = row;
            known.set(id, { spent, held: 0, requests, holds: 0, isForgotten: false });
          }
          return row !== null;
        })
        .finally(() => loading.delete(id));
    loading.set(id, running);
    return running;
  };

  const forget = (): void => {
    if (known.size < most) return;
    for (const [id, account] of known) {
      if (account.holds > 0) continue;
      account.isForgotten = true;
      known.delete(id);
    }
  };

  const accountOf = (window: Known): WindowAccount | undefined => {
    if (window.account?.isForgotten === false) return window.account;
    const account = known.get(window.id);
    if (account !== undefined) window.account = account;
    return account;
  };

  const peek: WindowStates['peek'] = <Window extends Known>(windows: readonly Window[]) => {
    const states: StateOf<Window>[] = [];
    for (const window of windows) {
      const account = accountOf(window);
      if (account === undefined) return undefined;
      const { spent, held, requests } = account;
      states.push({ window, spent, held, requests, account });
    }
    return states;
  };

  const add = (account: WindowAccount, amount: number): void => {
    account.spent += amount;
    if (amount > 0) account.requests += 1;
  };

  return {
    peek,
    load: async (windows) => {
      const gone = new Set<number>();
      const isMissing = ({ id }: Known) => !known.has(id) && !gone.has(id);
      forget();
      for (
        let missing = windows.filter(isMissing);
        missing.length > 0;
        missing = windows.filter(isMissing)
      ) {
        await Promise.all(
          missing.map(async ({ id }) => {
            if (!(await read(id))) gone.add(id);
          }),
        );
      }
      return windows.filter(({ id }) => known.has(id));
    },
    hold: (held, sign) => {
      for (const { account, amount } of held) {
        if (account === undefined) continue;
        account.held += sign * amount;
        account.holds += sign;
      }
    },
    charge: (held, amount) => {
      for (const { account } of held) {
        if (account === undefined) continue;
        add(account, amount);
        account.holds += 1;
      }
    },
    written: (ids = []) => {
      for (const id of ids) {
        const account = known.get(id);
        if (account !== undefined) account.holds -= 1;
      }
    },
    spend: (ids = [], amount) => {
      for (const id of ids) {
        const account = known.get(id);
        if (account !== undefined) add(account, amount);
      }
    },
  };
}
