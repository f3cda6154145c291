import type { App } from '../../core/app.ts';
import type { auditApi } from '../../core/contract/audit.ts';
import type { ledgerApi } from '../../core/contract/ledger.ts';
import type { logApi } from '../../core/contract/log.ts';
import type { overviewApi } from '../../core/contract/overview.ts';
import { auditFilters } from '../../core/entities/audit-filters.ts';
import type { FilterQuery } from '../../core/entities/filters.ts';
import { readFilters } from '../../core/entities/filters.ts';
import { ledgerFilters } from '../../core/entities/ledger-filters.ts';
import { logFilters } from '../../core/entities/log-filters.ts';
import type { Actor } from '../../core/kernel/actor.ts';
import { decimal } from '../../core/kernel/decimal.ts';
import { AppError } from '../../core/kernel/errors.ts';
import {
  presentAudit,
  presentLog,
  presentOwnLog,
  presentPosting,
} from '../../core/logs/present-log.ts';
import type { LogFilter } from '../../core/logs/usage-log-service.ts';
import { isAdmin } from '../../core/vocabulary/roles.ts';
import { actorOf, type Handlers, operatorOf, pageReply, pageRequest } from './context.ts';
import { dataHandlers } from './data.ts';

export function logHandlers(app: App) {
  return {
    log: usageLogHandlers(app),
    data: dataHandlers(app),
    overview: overviewHandlers(app),
    ledger: ledgerHandlers(app),
    audit: auditHandlers(app),
  };
}

function overviewHandlers({ logs, channels }: App): Handlers<typeof overviewApi> {
  return {
    get: ({ scope, channels: mostChannels }, context) => {
      const actor = actorOf(context);
      const userId = isAdmin(actor.role) && scope !== 'self' ? undefined : actor.id;
      return logs.overview(userId, mostChannels);
    },
    channelNames: () => channels.names(),
  };
}

function ledgerHandlers({ billing, accounts }: App): Handlers<typeof ledgerApi> {
  return {
    verify: async () => {
      const { drifts, staleHolds, chain, ...report } = await billing.verify();
      const { linked, earlier, notedAt, breaks } = chain;
      return {
        ...report,
        stale_holds: staleHolds,
        chain: { linked, earlier, noted_at: notedAt, breaks: [...breaks] },
        drifts: [...drifts],
      };
    },
    head: () => billing.head(),
    checkSeals: async ({ seals }) => ({ breaks: [...(await billing.checkSeals(seals))] }),
    list: async (input, context) => {
      const actor = actorOf(context);
      const exceptUsers = await accounts.users.hiddenFrom(actor);
      const filter = readFilters(ledgerFilters, input);
      if (filter.userId !== undefined && exceptUsers.includes(filter.userId))
        throw new AppError('user_read_forbidden');
      const page = await billing.postings(
        { ...filter, exceptUsers },
        pageRequest(input.p, input.page_size),
      );
      const subjects = await billing.subjects(page.items, true);
      return pageReply(page, input, (row) => presentPosting(row, subjects.get(row.id)));
    },
    listSelf: async (input, context) => {
      const page = await billing.postings(
        { ...readFilters(ledgerFilters, input, 'owner'), userId: actorOf(context).id },
        pageRequest(input.p, input.page_size),
      );
      const subjects = await billing.subjects(page.items, isAdmin(actorOf(context).role));
      return pageReply(page, input, (row) => presentPosting(row, subjects.get(row.id)));
    },
  };
}

function auditHandlers({ audit, site }: App): Handlers<typeof auditApi> {
  return {
    export: (input, { language }) =>
      audit.export(readFilters(auditFilters, input), {
        language,
        money: {
          inCurrency: site.options.get('DisplayInCurrencyEnabled'),
          quotaPerUnit: decimal(site.options.get('QuotaPerUnit')),
        },
      }),
    list: async ({ actor_id: actorId, ...input }) => {
      const filter = { ...readFilters(auditFilters, input), actorId };
      return pageReply(
        await audit.page(filter, pageRequest(input.p, input.page_size)),
        input,
        presentAudit,
      );
    },
  };
}

type Query = Partial<FilterQuery<typeof logFilters>>;

function usageLogHandlers({ logs, tokens }: App): Handlers<typeof logApi> {
  const all = (query: Query): LogFilter => readFilters(logFilters, query);
  const own = (query: Query, { id: userId }: Actor): LogFilter => ({
    ...readFilters(logFilters, query, 'owner'),
    userId,
  });
  return {
    list: async (input) => {
      const page = await logs.page(all(input), pageRequest(input.p, input.page_size));
      return pageReply(page, input, (log) => presentLog(log, page.channelNames));
    },
    listSelf: async (input, context) => {
      const request = pageRequest(input.p, input.page_size);
      const page = await logs.page(own(input, actorOf(context)), request);
      return pageReply(page, input, (log, index) => presentOwnLog(log, request.offset + index + 1));
    },
    stat: (input) => logs.stat(all(input)),
    statSelf: (input, context) => logs.stat(own(input, actorOf(context))),
    search: async ({ keyword }) => {
      const found = await logs.search(keyword.trim());
      return found.items.map((log) => presentLog(log, found.channelNames));
    },
    searchSelf: async ({ keyword }, context) => {
      const found = await logs.search(keyword.trim(), actorOf(context).id);
      return found.items.map((log, index) => presentOwnLog(log, index + 1));
    },
    ofToken: async ({ key, p, page_size }, context) => {
      const { tokenId, userId } = await tokens.identify(
        key || (context.bearer ?? ''),
        context.clientIp,
      );
      const request = pageRequest(p, page_size);
      const page = await logs.page({ tokenId, userId }, request);
      return page.items.map((log, index) => presentOwnLog(log, request.offset + index + 1));
    },
    export: ({ format, bom, scope, ...input }, context) => {
      const actor = actorOf(context);
      const forAdmins = isAdmin(actor.role) && scope !== 'self';
      const filter = forAdmins ? all(input) : own(input, actor);
      return logs.export({ filter, format, bom, forAdmins });
    },
    tail: async ({ after, ...input }) => {
      const found = await logs.tail(after, all(input));
      return found.items.map((log) => presentLog(log, found.channelNames));
    },
    get: async ({ id }) => {
      const { log, channelNames } = await logs.get(id);
      return presentLog(log, channelNames);
    },
    archive: (input, context) => logs.archives.archive(operatorOf(context), input),
    archives: async ({ place }, context) => {
      operatorOf(context);
      return [...(await logs.archives.list(place))];
    },
    restore: (input, context) => logs.archives.restore(operatorOf(context), input),
    prune: async ({ target_timestamp }, context) => {
      await logs.pruning.start(actorOf(context), target_timestamp);
      return logs.pruning.finished();
    },
    startPrune: ({ target_timestamp }, context) =>
      logs.pruning.start(actorOf(context), target_timestamp),
    pruneStatus: () => logs.pruning.status(),
    stopPrune: () => {
      logs.pruning.stop();
      return logs.pruning.status();
    },
  };
}
