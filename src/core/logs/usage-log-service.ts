import type { FileOutput } from '../contract/endpoint.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type {
  Listing,
  LogFilter,
  LogStatistics,
  OutcomeSums,
  PageRequest,
  Storage,
  TimeRange,
  UsageLog,
} from '../storage/storage.ts';
import { type ExportRequest, exportLogs } from './export-logs.ts';

export type { LogFilter };

export interface UsageLogDeps {
  readonly storage: Pick<Storage, 'logs' | 'requestOutcomes' | 'channels'>;
  readonly clock: Clock;
}

/** Usage logs with the current names of their channels. */
export interface NamedLogs extends Listing<UsageLog> {
  readonly channelNames: ReadonlyMap<number, string>;
}

export interface UsageLogService {
  page(filter: LogFilter, page: PageRequest): Promise<NamedLogs>;
  /** Throws AppError not_found. */
  get(id: number): Promise<{ readonly log: UsageLog } & Pick<NamedLogs, 'channelNames'>>;
  stat(filter: LogFilter): Promise<LogStatistics>;
  search(keyword: string, userId?: number): Promise<NamedLogs>;
  /** Rows with a larger id, oldest first; 0: the newest rows. */
  tail(after: number, filter: LogFilter): Promise<NamedLogs>;
  /** Rows as CSV or JSON lines, read piece by piece while the file is read. */
  export(request: ExportRequest): Promise<FileOutput>;
  /**
   * How requests of one user, or of all, ended; the hour in which the range begins counts as a
   * whole.
   */
  outcomeSums(filter: TimeRange & { readonly userId?: number }): Promise<OutcomeSums>;
}

const searchLimit = 100;
const tailLimit = 200;
const tailStart = 50;

export function createUsageLogService({ storage, clock }: UsageLogDeps): UsageLogService {
  const { logs } = storage;

  const named = async ({ items, total }: Listing<UsageLog>): Promise<NamedLogs> => {
    const ids = [...new Set(items.map((log) => log.channelId))].filter((id) => id !== 0);
    return {
      items,
      total,
      channelNames: ids.length === 0 ? new Map() : await storage.channels.names(ids),
    };
  };
  const listing = (items: readonly UsageLog[]): Listing<UsageLog> => ({
    items,
    total: items.length,
  });

  return {
    page: async (filter, page) => named(await logs.page(filter, page)),
    get: async (id) => {
      const log = await logs.find(id);
      if (log === null) throw new AppError('not_found');
      return { log, channelNames: (await named(listing([log]))).channelNames };
    },
    stat: (filter) => logs.stat(filter, nowSeconds(clock)),
    search: async (keyword, userId) =>
      named(
        listing(await logs.search(keyword, { userId, content: userId === undefined }, searchLimit)),
      ),
    tail: async (after, filter) => {
      if (after > 0) return named(listing(await logs.listSince(after, tailLimit, filter)));
      const newest = await logs.page(filter, { offset: 0, limit: tailStart });
      return named(listing([...newest.items].reverse()));
    },
    export: (request) => exportLogs({ storage }, request),
    outcomeSums: ({ from = 0, ...filter }) =>
      storage.requestOutcomes.sum({ ...filter, from: from - (from % 3600) }),
  };
}
