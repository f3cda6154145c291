/**
 * What was spent and is held in windows of budgets, where one process keeps them in memory
 * (docs/rules/budgets.md#admission). A charge counts as soon as it is known. What nothing is held
 * in may be forgotten: the tables have it.
 */
import type { Storage } from '../storage/storage.ts';
import type { WindowHold } from './ledger.ts';

interface KnownWindow {
  spent: number;
  held: number;
  requests: number;
}

type StateOf<Window> = Readonly<KnownWindow> & { readonly window: Window };

export interface WindowStates {
  /**
   * Those of the windows that still are, as they are in this moment: whoever decides by them does
   * so without waiting for anything.
   */
  load<Window extends { readonly id: number }>(
    windows: readonly Window[],
  ): Promise<readonly StateOf<Window>[]>;
  /** The same where all of them are known; undefined: one has to be loaded. */
  peek<Window extends { readonly id: number }>(
    windows: readonly Window[],
  ): readonly StateOf<Window>[] | undefined;
  /** `sign` 1: is held from now on; -1: no more. */
  hold(held: readonly WindowHold[], sign: 1 | -1): void;
  spend(ids: readonly number[] | undefined, amount: number): void;
}

/** Windows in memory before those in which nothing is held are forgotten. */
const most = 20_000;

export function createWindowStates(budgets: Pick<Storage['budgets'], 'findWindow'>): WindowStates {
  const known = new Map<number, KnownWindow>();
  const loading = new Map<number, Promise<boolean>>();

  /** False: the window is gone. Read once, however many ask at the same time. */
  const read = (id: number): Promise<boolean> => {
    const running =
      loading.get(id) ??
      budgets
        .findWindow(id)
        .then((row) => {
          if (row !== null) known.set(id, { spent: row.spent, held: 0, requests: row.requests });
          return row !== null;
        })
        .finally(() => loading.delete(id));
    loading.set(id, running);
    return running;
  };

  const forget = (): void => {
    if (known.size < most) return;
    for (const [id, { held }] of known) if (held === 0) known.delete(id);
  };

  const peek: WindowStates['peek'] = <Window extends { readonly id: number }>(
    windows: readonly Window[],
  ) => {
    const states: StateOf<Window>[] = [];
    for (const window of windows) {
      const state = known.get(window.id);
      if (state === undefined) return undefined;
      const { spent, held, requests } = state;
      states.push({ window, spent, held, requests });
    }
    return states;
  };

  return {
    peek,
    load: async (windows) => {
      const gone = new Set<number>();
      const isMissing = ({ id }: { readonly id: number }) => !known.has(id) && !gone.has(id);
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
      return peek(windows.filter(({ id }) => known.has(id))) ?? [];
    },
    hold: (held, sign) => {
      for (const { id, amount } of held) {
        const state = known.get(id);
        if (state !== undefined) state.held += sign * amount;
      }
    },
    spend: (ids = [], amount) => {
      for (const id of ids) {
        const state = known.get(id);
        if (state === undefined) continue;
        state.spent += amount;
        if (amount > 0) state.requests += 1;
      }
    },
  };
}
