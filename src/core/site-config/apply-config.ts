/**
 * Brings options, channels, the model square and budgets to a configuration
 * (docs/rules/command-line.md#configuration-check).
 */
import type { ModelSquare } from '../catalog/model-square.ts';
import { type ChannelFields, readChannelInput } from '../channels/channel-fields.ts';
import type { ChannelService } from '../channels/channel-service.ts';
import type { Leases } from '../cluster/cluster.ts';
import { modelSquareApi } from '../contract/model-square.ts';
import { type CatalogEntryInput, findEntryProblems } from '../entities/catalog-entry.ts';
import { channelFields } from '../entities/channel.ts';
import { createPresenter } from '../entities/convert.ts';
import type { Actor } from '../kernel/actor.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Channel, Storage } from '../storage/storage.ts';
import { type BudgetChangeDeps, checkBudgets, writeBudget } from './budget-changes.ts';
import { type ConfigChanges, type ConfigProblem, isAsSeen } from './config-changes.ts';

type ChannelEntry = ConfigChanges['channels'][number];
type ModelEntry = ConfigChanges['models'][number];

export interface SiteConfig {
  /** Every problem that {@link SiteConfig.apply} would find before it writes. */
  check(actor: Actor, changes: ConfigChanges): Promise<readonly ConfigProblem[]>;
  /**
   * Writes options (all or none), then channels, the model square and budgets; nothing if there is a
   * problem. One call works at a time: throws AppError config_apply_running. A problem that comes
   * up while writing ends it; `written` counts what is stored then.
   */
  apply(
    actor: Actor,
    changes: ConfigChanges,
  ): Promise<{ readonly problems: readonly ConfigProblem[]; readonly written: number }>;
}

export interface SiteConfigDeps {
  readonly options: Pick<OptionStore, 'change' | 'refusals'>;
  readonly channels: Pick<ChannelService, 'create' | 'update' | 'remove' | 'refusals'>;
  readonly models: Pick<ModelSquare, 'entries' | 'add' | 'update' | 'remove'>;
  readonly budgets: BudgetChangeDeps['budgets'];
  readonly storage: Pick<Storage, 'channels' | 'budgets'>;
  readonly leases: Leases;
  readonly ids: Ids;
}

const presentFields = createPresenter(channelFields);
const leaseName = 'config-apply';
/** ms that one change may take before another call may start. */
const leaseTime = 60_000;

/** One write, with what it is about. */
interface Write {
  readonly about: Omit<ConfigProblem, 'error' | 'field'>;
  /** The changes that it stores. */
  readonly count: number;
  run(): Promise<unknown>;
}

export function createSiteConfig({
  options,
  channels,
  models,
  budgets,
  storage,
  leases,
  ids,
}: SiteConfigDeps): SiteConfig {
  const checkOptions = ({
    options: set,
    option_resets: reset,
    below_cost: belowCost,
  }: ConfigChanges): readonly ConfigProblem[] =>
    options.refusals({ set, reset, belowCost }).map((error) => {
      const label = String(error.params['key'] ?? '');
      return { section: 'options', label, field: '', error };
    });

  const checkChannels = async (
    actor: Actor,
    entries: readonly ChannelEntry[],
  ): Promise<readonly ConfigProblem[]> => {
    if (entries.length === 0) return [];
    const live = await storage.channels.listAll();
    const problems: ConfigProblem[] = [];
    for (const entry of entries) {
      const { id, name, label = name, status, remove } = entry;
      const isSame = (row: Channel) => isAsSeen(entry.seen, presentFields({ ...row, key: '' }));
      const isFresh =
        id === undefined
          ? !live.some((row) => row.name === name)
          : live.some((row) => row.id === id && row.name === name && isSame(row));
      const refusals = !isFresh
        ? [new AppError('config_changed_meanwhile')]
        : remove
          ? []
          : await channels.refusals(actor, channelInput(entry), id, status);
      problems.push(
        ...refusals.map(
          (error) => ({ section: 'channels', label, field: fieldOf(error), error }) as const,
        ),
      );
    }
    return problems;
  };

  const checkModels = async (entries: readonly ModelEntry[]): Promise<readonly ConfigProblem[]> => {
    if (entries.length === 0) return [];
    const rows = await models.entries(modelSquareApi.manage.input.parse({}));
    const live = new Map(rows.map((row) => [row.model, row]));
    return entries.flatMap(({ action, seen, ...entry }) => {
      const row = live.get(entry.model);
      const isFresh = (row === undefined) === (action === 'add') && isAsSeen(seen, row ?? {});
      const refusals = isFresh ? [] : [new AppError('config_changed_meanwhile')];
      if (action !== 'remove' && refusals.length === 0) {
        const found = findEntryProblems(modelInput(entry), { complete: action === 'add' });
        refusals.push(
          ...found.map(({ field, code, params }) => new AppError(code, { ...params, field })),
        );
      }
      return refusals.map(
        (error) =>
          ({ section: 'models', label: entry.model, field: fieldOf(error), error }) as const,
      );
    });
  };

  const check = async (actor: Actor, changes: ConfigChanges): Promise<readonly ConfigProblem[]> => [
    ...checkOptions(changes),
    ...(await checkChannels(actor, changes.channels)),
    ...(await checkModels(changes.models)),
    ...(await checkBudgets({ budgets, storage }, actor, changes.budgets)),
  ];

  const writeChannel = async (actor: Actor, entry: ChannelEntry): Promise<void> => {
    const { id, status, remove } = entry;
    const fields = channelInput(entry);
    if (id === undefined) {
      const made = await channels.create(actor, { ...fields, type: fields.type ?? 0 });
      if (status !== undefined)
        for (const one of made) await channels.update(actor, one, {}, status);
    } else if (remove) await channels.remove(actor, [id]);
    else await channels.update(actor, id, fields, status);
  };
  const writeModel = async (
    actor: Actor,
    { action, seen: _, ...entry }: ModelEntry,
  ): Promise<void> => {
    if (action === 'remove') await models.remove(actor, entry.model);
    else
      await models[action === 'add' ? 'add' : 'update'](actor, {
        ...modelInput(entry),
        model: entry.model,
      });
  };
  const writesOf = (actor: Actor, changes: ConfigChanges): readonly Write[] => {
    const { options: set, option_resets: reset, below_cost: belowCost } = changes;
    return [
      {
        about: { section: 'options', label: '' },
        count: set.length + reset.length,
        run: () => options.change(actor, { set, reset, belowCost }),
      },
      ...changes.channels.map((entry) => ({
        about: { section: 'channels', label: entry.label ?? entry.name } as const,
        count: 1,
        run: () => writeChannel(actor, entry),
      })),
      ...changes.models.map((entry) => ({
        about: { section: 'models', label: entry.model } as const,
        count: 1,
        run: () => writeModel(actor, entry),
      })),
      ...changes.budgets.map((entry) => ({
        about: { section: 'budgets', label: entry.label ?? entry.name } as const,
        count: 1,
        run: () => writeBudget({ budgets }, actor, entry),
      })),
    ];
  };

  return {
    check,
    apply: async (actor, changes) => {
      const owner = ids.uuid();
      const holdLease = async () => {
        if (!(await leases.acquire(leaseName, owner, leaseTime)))
          throw new AppError('config_apply_running');
      };
      await holdLease();
      let written = 0;
      try {
        const problems = await check(actor, changes);
        if (problems.length > 0) return { problems, written };
        for (const { about, count, run } of writesOf(actor, changes)) {
          await holdLease();
          try {
            await run();
          } catch (error) {
            if (!(error instanceof AppError)) throw error;
            return { problems: [{ ...about, field: fieldOf(error), error }], written };
          }
          written += count;
        }
        return { problems: [], written };
      } finally {
        await leases.release(leaseName, owner);
      }
    },
  };
}

function channelInput({
  id: _id,
  label: _label,
  status: _status,
  seen: _seen,
  remove: _remove,
  ...entry
}: ChannelEntry): Partial<ChannelFields> {
  return readChannelInput(entry);
}

function modelInput(entry: Omit<ModelEntry, 'action' | 'seen'>): Partial<CatalogEntryInput> {
  return Object.fromEntries(
    Object.entries(entry).filter(([, value]) => value !== undefined),
  ) as Partial<CatalogEntryInput>;
}

function fieldOf({ params }: AppError): string {
  const { field } = params;
  return typeof field === 'string' ? field : '';
}
