import { type Clock, nowSeconds } from '../kernel/clock.ts';
import type {
  Listing,
  Midjourney,
  MidjourneyFilter,
  PageRequest,
  Storage,
  StoredImage,
  Task,
  TaskFilter,
} from '../storage/storage.ts';
import { factsOf } from './task-record.ts';

export interface TaskListDeps {
  readonly storage: Pick<
    Storage,
    'tasks' | 'midjourneys' | 'users' | 'channels' | 'ledger' | 'taskResults'
  >;
  readonly clock: Clock;
}

/** A row with what lists show beside it. */
export interface Listed<Row> {
  readonly row: Row;
  /** Quota that was given back because it failed. */
  readonly refunded: number;
  /** Empty: deleted. */
  readonly username: string;
  readonly channelName: string;
  /** Of an order of images: which are kept. */
  readonly kept?: readonly StoredImage[];
}

/** Whose rows: of one user by name (administrators), '' for any. */
type ByName<Filter> = Filter & { readonly user?: string };

/** The lists of drawings and tasks, newest first (docs/rules/task-logs.md#lists). */
export interface TaskLists {
  drawings(
    filter: ByName<MidjourneyFilter>,
    page: PageRequest,
  ): Promise<Listing<Listed<Midjourney>>>;
  tasks(filter: ByName<TaskFilter>, page: PageRequest): Promise<Listing<Listed<Task>>>;
}

/** No user has this id. */
const nobody = 0;

type ListedRow = Pick<Task, 'id' | 'userId' | 'channelId' | 'status'>;

const distinct = (ids: readonly number[]) => [...new Set(ids)].filter((id) => id !== 0);

export function createTaskLists({ storage, clock }: TaskListDeps): TaskLists {
  const withUserId = async <F extends { readonly userId?: number }>({
    user = '',
    ...filter
  }: F & { user?: string }) =>
    user === ''
      ? filter
      : { ...filter, userId: (await storage.users.findByUsername(user))?.id ?? nobody };

  /**
   * Looks up what belongs to the rows of a page, each in one query. `referenceOf` names the posting
   * that refunded a row.
   */
  const describe = async <Row extends ListedRow>(
    { items, total }: Listing<Row>,
    referenceOf: (row: Row) => string,
  ): Promise<Listing<Listed<Row>>> => {
    const failed = items.filter(({ status }) => status === 'FAILURE');
    const [users, channels, refunds] = await Promise.all([
      storage.users.findMany(distinct(items.map(({ userId }) => userId))),
      storage.channels.names(distinct(items.map(({ channelId }) => channelId))),
      storage.ledger.findByReferences('refund', failed.map(referenceOf)),
    ]);
    const names = new Map(users.map(({ id, username }) => [id, username]));
    const amounts = new Map(refunds.map(({ reference, amount }) => [reference, amount]));
    const listed = items.map((row) => ({
      row,
      refunded: amounts.get(referenceOf(row)) ?? 0,
      username: names.get(row.userId) ?? '',
      channelName: channels.get(row.channelId) ?? '',
    }));
    return { items: listed, total };
  };

  const withImages = async ({
    items,
    total,
  }: Listing<Listed<Task>>): Promise<Listing<Listed<Task>>> => {
    const orders = items.filter(({ row }) => row.platform === 'image');
    if (orders.length === 0) return { items, total };
    const ids = orders.map(({ row }) => row.taskId);
    const stored = await storage.taskResults.listStored(ids, nowSeconds(clock));
    const kept = Map.groupBy(stored, ({ taskId }) => taskId);
    return {
      items: items.map((item) => ({ ...item, kept: kept.get(item.row.taskId) ?? [] })),
      total,
    };
  };

  return {
    drawings: async (filter, page) =>
      describe(
        await storage.midjourneys.page(await withUserId(filter), page),
        (row) => factsOf({ table: 'midjourneys', row }).reference,
      ),
    tasks: async (filter, page) =>
      withImages(
        await describe(
          await storage.tasks.page(await withUserId(filter), page),
          (row) => factsOf({ table: 'tasks', row }).reference,
        ),
      ),
  };
}
