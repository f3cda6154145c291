/** Looks for new models, prices and ends, and adopts them (docs/rules/models.md#sync). */
import { createHash } from 'node:crypto';
import type { Leases } from '../cluster/cluster.ts';
import type { Actor } from '../kernel/actor.ts';
import { type Clock, dayOf } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import { readAdditions } from '../models/added.ts';
import { isPast, type ModelCatalogue } from '../models/catalogue.ts';
import { type ModelChange, type ModelUpdate, updateOf } from '../models/changes.ts';
import { knownModels } from '../models/known-models.ts';
import type { ModelRow, ModelRule } from '../models/schema.ts';
import type { FoundModel } from '../models/sources/found-model.ts';
import type { OptionValue } from '../options/index.ts';
import type { OptionStore } from '../site/option-store.ts';
import {
  createModelLists,
  type ModelListDeps,
  type ReadList,
  type SignedList,
} from './model-lists.ts';

export interface ModelSyncRequest {
  readonly source: 'all' | 'channels' | 'address' | 'given';
  /** The list that is given. */
  readonly list?: {
    readonly name: string;
    readonly own: boolean;
    readonly models: readonly FoundModel[];
    readonly rules: readonly ModelRule[];
  };
  /** New models, limits and ends are adopted, and the rules of an own list. */
  readonly adopt: boolean;
  /** Models whose changed price is adopted, with all else that changed of them. */
  readonly prices: readonly string[] | 'all';
}

export interface SyncedChange extends Omit<ModelChange, 'kind'> {
  /** `gone`: its vendor's own list no longer has it. */
  readonly kind: ModelChange['kind'] | 'gone';
  /** The name of the list that says so. */
  readonly source: string;
  readonly adopted: boolean;
}

export interface ModelSyncReport {
  /** `error`: why a list was not read; undefined: it was. */
  readonly sources: readonly {
    readonly name: string;
    readonly models: number;
    readonly error: unknown;
  }[];
  readonly changes: readonly SyncedChange[];
}

export interface ModelSync {
  /** Throws AppError model_sync_running, and what storing the learned models throws. */
  run(actor: Actor, request: ModelSyncRequest): Promise<ModelSyncReport>;
  /**
   * The daily look, by the site's options. `tell` gets what was adopted, and prices that wait, until
   * it says once that they were sent.
   */
  look(
    actor: Actor,
    tell: (changes: readonly SyncedChange[], ended: (isSent: boolean) => Promise<void>) => void,
  ): Promise<void>;
}

export interface ModelSyncDeps extends ModelListDeps {
  readonly options: Pick<OptionStore, 'get' | 'set'>;
  readonly leases: Leases;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly ids: Ids;
}

/** What is learned while one sync runs. */
class Learned {
  readonly catalogue: ModelCatalogue;
  rules: readonly ModelRule[];
  signed: SignedList | undefined;
  readonly #rows: Map<string, ModelRow>;
  isChanged = false;

  constructor(stored: OptionValue<'model_sync.learned'>) {
    const { rules, rows } = readAdditions(stored);
    this.rules = rules;
    this.signed = stored.signed;
    this.#rows = new Map(rows.map((row) => [row.name, row]));
    this.catalogue = knownModels.copy();
  }

  get rows(): readonly ModelRow[] {
    return [...this.#rows.values()];
  }

  replaceRules(rules: readonly ModelRule[]): void {
    if (JSON.stringify(rules) === JSON.stringify(this.rules)) return;
    this.rules = rules;
    this.isChanged = true;
  }

  add(row: ModelRow): void {
    this.#rows.set(row.name, row);
    this.isChanged = true;
  }

  /** What was added counts for the lists that follow. */
  apply(): void {
    this.catalogue.replaceAdded({ rules: this.rules, rows: this.rows });
  }
}

const writing = 'model-sync.learned';
/** Milliseconds. */
const writingFor = 60_000;
const betweenTries = 100;
const mostTries = 100;

/** Milliseconds for which a change is not reported again. */
const reportedOnceIn = 60 * 24 * 3600_000;
/** Milliseconds for which its notice counts as being sent: after a crash it is sent again then. */
const sendingFor = 1800_000;
/** Adopted changes at most that wait for a notice that reaches the owner. */
const mostUnsent = 500;

export function createModelSync(deps: ModelSyncDeps): ModelSync {
  const { options, leases, clock, ids } = deps;
  const lists = createModelLists(deps);

  const readLists = async ({ source, list }: ModelSyncRequest): Promise<readonly ReadList[]> => {
    if (source === 'given') {
      if (list === undefined) return [];
      const { name, own, models, rules } = list;
      const address = `file:${encodeURIComponent(name)}`;
      return [{ name, source: address, isAuthority: own, models, ...(own && { rules }) }];
    }
    return [
      ...(source === 'address' ? [] : await lists.ofChannels()),
      ...(source === 'channels' ? [] : await lists.ofAddress(clock.now())),
    ];
  };

  const compare = (
    list: ReadList,
    learned: Learned,
    { adopt, prices }: Pick<ModelSyncRequest, 'adopt' | 'prices'>,
  ): readonly SyncedChange[] => {
    const today = dayOf(clock.now());
    const vendors = lists.vendors();
    const origin = { source: list.source, seen: today, isAuthority: list.isAuthority };
    const changes: SyncedChange[] = [];
    const take = ({ changes: found, row, repriced }: ModelUpdate) => {
      const isConfirmed = prices === 'all' || prices.includes(row.name);
      if (repriced !== undefined && isConfirmed) learned.add(repriced);
      else if (adopt && found.some(({ kind }) => kind !== 'price' || repriced === undefined))
        learned.add(row);
      for (const change of found) {
        const isOther = change.kind === 'price' && repriced !== undefined;
        const adopted = isOther ? isConfirmed : adopt || (repriced !== undefined && isConfirmed);
        changes.push({ ...change, source: list.name, adopted });
      }
    };
    if (adopt && list.rules !== undefined) learned.replaceRules(list.rules);
    if (adopt) learned.signed = list.signed ?? learned.signed;
    learned.apply();
    for (const found of list.models) {
      if (list.sent === undefined && !vendors.has(found.server)) continue;
      const update = updateOf(found, learned.catalogue, origin, today);
      if (update !== undefined) take(update);
    }
    return [...changes, ...goneFrom(list, learned.catalogue, today)];
  };

  const owner = ids.uuid();
  let last: Promise<unknown> = Promise.resolve();
  /**
   * One sync at a time writes what is learned, of all gateways: each adds to what is there. A lease
   * that could not be released is this gateway's still.
   */
  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(() => leased(work));
    last = turn.catch(() => undefined);
    return turn;
  };
  const leased = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let tries = 0; !(await leases.acquire(writing, owner, writingFor)); tries++) {
      if (tries === mostTries) throw new AppError('model_sync_running');
      await clock.sleep(betweenTries);
    }
    try {
      return await work();
    } finally {
      await leases.release(writing, owner);
    }
  };

  const run: ModelSync['run'] = async (actor, request) => {
    const read = await readLists(request);
    const changes = await alone(async () => {
      const learned = new Learned(options.get('model_sync.learned'));
      const found: SyncedChange[] = [];
      for (const list of read) {
        if (list.error === undefined) found.push(...compare(list, learned, request));
        learned.apply();
      }
      if (learned.isChanged) {
        const { rules, rows, signed } = learned;
        await options.set(actor, 'model_sync.learned', JSON.stringify({ rules, rows, signed }));
      }
      return found;
    });
    return {
      sources: read.map(({ name, models, error }) => ({ name, models: models.length, error })),
      changes: once(changes),
    };
  };

  /**
   * Adopted, so that the next look does not find them, while their notice did not reach the owner.
   */
  const unsent = new Map<string, SyncedChange>();

  return {
    run,
    look: async (actor, tell) => {
      const adopt = options.get('model_sync.adopt');
      const { changes, sources } = await run(actor, { source: 'all', adopt, prices: [] });
      const owner = ids.uuid();
      const found = changes.map((change) => [reportKey(change), change] as const);
      const news = new Map<string, SyncedChange>();
      for (const [key, change] of new Map([...unsent, ...found]))
        if (await leases.acquire(key, owner, sendingFor, reportedOnceIn)) news.set(key, change);
      if (news.size > 0)
        tell([...news.values()], async (isSent) => {
          for (const [key, change] of news) {
            if (isSent) unsent.delete(key);
            else if (change.adopted && unsent.size < mostUnsent) unsent.set(key, change);
            if (isSent) await leases.acquire(key, owner, reportedOnceIn);
            else await leases.release(key, owner);
          }
        });
      // Many upstreams have no list: the look has failed where none could be read.
      const errors = sources.flatMap(({ error }) => error ?? []);
      if (errors.length > 0 && errors.length === sources.length) throw errors[0];
    },
  };
}

/** A change is reported once under it. */
function reportKey({ kind, adopted, to, model }: SyncedChange): string {
  const hash = createHash('sha256').update(JSON.stringify([kind, adopted, to]));
  return `learned.${hash.digest('hex').slice(0, 16)}.${model}`;
}

/** Channels of one vendor say the same. */
function once(changes: readonly SyncedChange[]): readonly SyncedChange[] {
  const seen = new Map<string, SyncedChange>();
  for (const change of changes) {
    const key = JSON.stringify([change.model, change.kind, change.to]);
    if (seen.get(key)?.adopted !== true) seen.set(key, change);
  }
  return [...seen.values()];
}

/** Models that a channel sends to a vendor whose own list has them no longer. */
function goneFrom(
  { sent = [], models, name: source }: ReadList,
  catalogue: ModelCatalogue,
  today: string,
): readonly SyncedChange[] {
  const names = new Set(models.map(({ name }) => name.toLowerCase()));
  const [{ server } = { server: '' }] = models;
  return sent.flatMap((model): SyncedChange[] => {
    const { row } = catalogue.find(model);
    const isListed = row === undefined || row.name !== model || names.has(model.toLowerCase());
    if (isListed || row.vendor !== server || isPast(row.ends, today)) return [];
    return [{ model, vendor: server, kind: 'gone', from: {}, to: {}, source, adopted: false }];
  });
}

/** What a refused list is reported as. */
export function syncErrorText(error: unknown): string {
  if (error === undefined) return '';
  return error instanceof AppError ? error.code : String(error);
}
