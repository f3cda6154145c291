import type { z } from 'zod';
import type { App } from '../../core/app.ts';
import type { dataApi, logApi, turnpikeLogApi } from '../../core/contract/log.ts';
import { AppError } from '../../core/kernel/errors.ts';
import { presentLog, presentOwnLog, presentQuotaData } from '../../core/logs/present-log.ts';
import { type LogFilter, maxOwnRange } from '../../core/logs/usage-log-service.ts';
import { actorOf, type Handlers, pageReply, pageRequest } from './context.ts';

type Filters = Partial<z.output<(typeof logApi)['stat']['input']>>;

/** 0 and '' do not filter. */
function readFilter(input: Filters): LogFilter {
  return {
    type: input.type,
    username: input.username,
    tokenName: input.token_name,
    modelName: input.model_name,
    channelId: input.channel,
    group: input.group,
    from: input.start_timestamp || undefined,
    to: input.end_timestamp || undefined,
  };
}

export function logHandlers(app: App): Handlers<typeof logApi> {
  const { logs } = app;
  const ownFilter = (input: Filters, userId: number): LogFilter => ({ ...readFilter(input), userId });
  return {
    list: async (input) => {
      const page = await logs.page(readFilter(input), pageRequest(input.p, input.page_size));
      return pageReply(page, input, (log) => presentLog(log, page.channelNames));
    },
    listSelf: async (input, context) => {
      const request = pageRequest(input.p, input.page_size);
      const page = await logs.page(ownFilter(input, actorOf(context).id), request);
      return pageReply(page, input, (log, index) => presentOwnLog(log, request.offset + index + 1));
    },
    stat: (input) => logs.stat(readFilter(input)),
    statSelf: (input, context) => logs.stat(ownFilter(input, actorOf(context).id)),
    search: async ({ keyword }) => {
      const found = await logs.search(keyword.trim());
      return found.items.map((log) => presentLog(log, found.channelNames));
    },
    searchSelf: async ({ keyword }, context) => {
      const found = await logs.search(keyword.trim(), actorOf(context).id);
      return found.items.map((log, index) => presentOwnLog(log, index + 1));
    },
    ofToken: async ({ key, p, page_size }, context) => {
      const token = await app.tokens.findByKey(key || (context.bearer ?? ''));
      const request = pageRequest(p, page_size);
      const page = await logs.page({ tokenId: token.id, userId: token.userId }, request);
      return page.items.map((log, index) => presentOwnLog(log, request.offset + index + 1));
    },
    prune: ({ target_timestamp }, context) => logs.prune(actorOf(context), target_timestamp),
  };
}

export function turnpikeLogHandlers(app: App): Handlers<typeof turnpikeLogApi> {
  return {
    tail: async ({ after, username, model_name }) => {
      const found = await app.logs.tail(after, { username, modelName: model_name });
      return found.items.map((log) => presentLog(log, found.channelNames));
    },
    get: async ({ id }) => {
      const found = await app.logs.get(id);
      return found.items.map((log) => presentLog(log, found.channelNames))[0] ?? missing();
    },
  };
}

export function dataHandlers(app: App): Handlers<typeof dataApi> {
  const readRange = (input: { start_timestamp: number; end_timestamp: number }) => ({
    from: input.start_timestamp || undefined,
    to: input.end_timestamp || undefined,
  });
  return {
    all: async (input) => {
      const of = input.username === '' ? undefined : { username: input.username };
      return (await app.logs.hourly(readRange(input), of)).map(presentQuotaData);
    },
    self: async (input, context) => {
      if (input.end_timestamp - input.start_timestamp > maxOwnRange) throw new AppError('range_too_long');
      return (await app.logs.hourly(readRange(input), { userId: actorOf(context).id })).map(presentQuotaData);
    },
  };
}

function missing(): never {
  throw new AppError('not_found');
}
