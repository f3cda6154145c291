import type { Commit } from '../audit/commit.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { Language } from '../i18n/translate.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { NoticeRoutes } from '../notices/notice-routes.ts';
import type { ServiceModule } from '../runtime/service-module.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Storage } from '../storage/storage.ts';
import { type BudgetGate, createBudgetGate } from './budget-gate.ts';
import { type BudgetService, createBudgetService } from './budget-service.ts';
import { createBudgetWarnings } from './budget-warnings.ts';
import { createForgetWindows } from './forget-windows.ts';

export interface BudgetsModuleDeps {
  readonly storage: Pick<Storage, 'budgets' | 'tokens' | 'users'>;
  readonly options: Pick<OptionStore, 'get'>;
  readonly routes: NoticeRoutes;
  readonly siteLanguage: () => Language;
  readonly commit: Commit;
  readonly cluster: Pick<Cluster, 'rates'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface BudgetServices extends BudgetService {
  readonly gate: BudgetGate;
}

/** Seconds between two looks at what was spent, and that one may take. */
const warningInterval = 30;
/** Seconds between two deletions of old windows. */
const pruneInterval = 3600;

/** Resolves when the budgets are in memory. */
export async function createBudgetsModule(
  deps: BudgetsModuleDeps,
): Promise<ServiceModule<BudgetServices>> {
  const { storage, cluster, clock, logger } = deps;
  const { budgets } = storage;
  const gate = createBudgetGate({ budgets, meter: cluster.rates('budgets'), clock, logger });
  await gate.refresh();
  return {
    services: { ...createBudgetService({ ...deps, gate }), gate },
    caches: [{ name: 'budgets', kinds: ['budgets'], follow: gate.refresh }],
    jobs: [
      {
        name: 'budget-warnings',
        interval: () => warningInterval,
        scope: 'gateway',
        timeout: warningInterval,
        run: createBudgetWarnings(deps),
      },
      {
        name: 'forget-budget-windows',
        interval: () => pruneInterval,
        scope: 'gateway',
        timeout: pruneInterval,
        run: createForgetWindows(deps),
      },
    ],
  };
}
