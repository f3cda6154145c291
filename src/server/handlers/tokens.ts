import type { App } from '../../core/app.ts';
import type { tokenApi } from '../../core/contract/token.ts';
import type { userTokensApi } from '../../core/contract/user-tokens.ts';
import { readFilters } from '../../core/entities/filters.ts';
import { tokenFilters } from '../../core/entities/token-filters.ts';
import { AppError } from '../../core/kernel/errors.ts';
import { presentToken } from '../../core/tokens/present-token.ts';
import { readTokenInput } from '../../core/tokens/token-fields.ts';
import type { OwnedToken } from '../../core/tokens/user-tokens.ts';
import { actorOf, type Handlers, pageReply, pageRequest } from './context.ts';

export function tokenHandlers(app: App) {
  return { token: ownTokenHandlers(app), userTokens: userTokenHandlers(app) };
}

function ownTokenHandlers({ tokens }: App): Handlers<typeof tokenApi> {
  return {
    list: async ({ p, size, ...input }, context) => {
      const { items, total } = await tokens.page(
        actorOf(context).id,
        pageRequest(p, size, 0),
        readFilters(tokenFilters, input, 'owner'),
      );
      return { items: items.map((token) => presentToken(token, 'whole')), total };
    },
    search: async (input, context) => {
      const { items, total } = await tokens.page(
        actorOf(context).id,
        { offset: 0, limit: 100 },
        readFilters(tokenFilters, input, 'owner'),
      );
      return { items: items.map((token) => presentToken(token, 'whole')), total };
    },
    get: async ({ id }, context) =>
      presentToken(await tokens.get(actorOf(context).id, id), 'whole'),
    create: async (input, context) =>
      presentToken(await tokens.create(actorOf(context).id, readTokenInput(input)), 'whole'),
    update: async ({ id, status, status_only, ...input }, context) => {
      const token = await tokens.get(actorOf(context).id, id);
      if (!status_only)
        return presentToken(await tokens.update(token, readTokenInput(input)), 'whole');
      if (status === undefined) throw new AppError('invalid_parameter', { field: 'status' });
      return presentToken(await tokens.setStatus(token, status), 'whole');
    },
    remove: async ({ id }, context) => {
      await tokens.remove(await tokens.get(actorOf(context).id, id));
    },
    createMany: async ({ count, ...input }, context) => {
      const created = await tokens.createMany(actorOf(context).id, readTokenInput(input), count);
      return created.map((token) => presentToken(token, 'whole'));
    },
    setStatusMany: ({ ids, status }, context) =>
      tokens.setStatusMany(actorOf(context).id, ids, status),
    removeMany: ({ ids }, context) => tokens.removeMany(actorOf(context).id, ids),
  };
}

function userTokenHandlers({ accounts, tokens: { ofUsers } }: App): Handlers<typeof userTokensApi> {
  const present = ({ token, username }: OwnedToken) => ({
    ...presentToken(token, 'masked'),
    username,
  });
  return {
    list: async (input, context) => {
      const exceptUsers = await accounts.users.hiddenFrom(actorOf(context));
      if (input.user_id !== undefined && exceptUsers.includes(input.user_id))
        throw new AppError('user_read_forbidden');
      const filter = { ...readFilters(tokenFilters, input), exceptUsers };
      return pageReply(
        await ofUsers.page(filter, pageRequest(input.p, input.page_size)),
        input,
        present,
      );
    },
    get: async ({ id }, context) => present(await ofUsers.get(actorOf(context), id)),
    create: async ({ user, ...input }, context) =>
      presentToken(await ofUsers.create(actorOf(context), user, readTokenInput(input)), 'whole'),
    update: async ({ id, status, ...input }, context) =>
      present(await ofUsers.update(actorOf(context), id, { ...readTokenInput(input), status })),
    remove: async ({ id }, context) => {
      await ofUsers.remove(actorOf(context), id);
    },
  };
}
