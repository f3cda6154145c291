import type { Actor } from '../../core/accounts/actor.ts';
import type { User } from '../../core/accounts/own-account.ts';
import { requireAllowed } from '../../core/accounts/policy.ts';
import type { App } from '../../core/app.ts';
import type { turnpikeApi } from '../../core/contract/turnpike.ts';
import { AppError } from '../../core/kernel/errors.ts';
import { presentAudit, presentPosting } from '../../core/logs/present-log.ts';
import { presentToken } from '../../core/tokens/present-token.ts';
import type { Token } from '../../core/tokens/token-service.ts';
import { isAdmin } from '../../core/vocabulary/roles.ts';
import { actorOf, type Handlers, pageReply, pageRequest } from './context.ts';
import { readTokenInput, readTokenPatch } from './token.ts';

/** Calls the family lacks (design, product 8). */
export function turnpikeHandlers(app: App): Handlers<typeof turnpikeApi> {
  const { storage, tokens } = app;

  /** A token of somebody, where the actor may handle that user's tokens. */
  const findForeign = async (actor: Actor, id: number): Promise<{ token: Token; owner: User }> => {
    const token = await tokens.find(id);
    const owner = await findUser(token.userId);
    requireAllowed('own-tokens', { actor, target: owner });
    return { token, owner };
  };
  const findUser = async (id: number): Promise<User> => {
    const user = await storage.users.find(id);
    if (user === null) throw new AppError('not_found');
    return user;
  };
  const presentMasked = (token: Token, username: string) => ({ ...presentToken(token, 'masked'), username });

  return {
    overview: ({ scope }, context) => {
      const actor = actorOf(context);
      return app.overview(isAdmin(actor.role) && scope !== 'self' ? undefined : actor.id);
    },
    ledgerVerify: async () => {
      const { drifts, ...report } = await app.ledger.verify();
      return { ...report, stale_holds: report.staleHolds, drifts: [...drifts] };
    },
    ledgerList: async (input) => {
      const page = await storage.ledger.page({ userId: input.user_id }, pageRequest(input.p, input.page_size));
      return pageReply(page, input, presentPosting);
    },
    ledgerSelf: async (input, context) => {
      const page = await storage.ledger.page({ userId: actorOf(context).id }, pageRequest(input.p, input.page_size));
      return pageReply(page, input, presentPosting);
    },
    tokens: async (input) => {
      const page = await tokens.pageAll({ userId: input.user_id, keyword: input.keyword }, pageRequest(input.p, input.page_size));
      const owners = await storage.users.findMany([...new Set(page.items.map((token) => token.userId))]);
      const names = new Map(owners.map((owner) => [owner.id, owner.username]));
      return pageReply(page, input, (token) => presentMasked(token, names.get(token.userId) ?? ''));
    },
    token: async ({ id }, context) => {
      const { token, owner } = await findForeign(actorOf(context), id);
      return presentMasked(token, owner.username);
    },
    createToken: async ({ user, ...input }, context) => {
      const actor = actorOf(context);
      const owner = user === undefined || user === '' ? await findUser(actor.id) : await findByNameOrId(app, user);
      requireAllowed('own-tokens', { actor, target: owner });
      const token = await tokens.create(owner.id, readTokenInput(input));
      await app.audit.record(actor, 'token.create', token.id, { owner: owner.id });
      return presentToken(token, 'whole');
    },
    updateToken: async ({ id, status, ...input }, context) => {
      const actor = actorOf(context);
      const { token, owner } = await findForeign(actor, id);
      const patch = readTokenPatch(input);
      const hasFields = Object.keys(dropAbsent(patch)).length > 0;
      const edited = hasFields ? await tokens.update(token, patch) : token;
      const changed = status === undefined ? edited : await tokens.setStatus(edited, status);
      await app.audit.record(actor, 'token.update', id, { owner: owner.id, ...dropAbsent({ ...input, status }) });
      return presentMasked(changed, owner.username);
    },
    removeToken: async ({ id }, context) => {
      const actor = actorOf(context);
      const { token, owner } = await findForeign(actor, id);
      await tokens.remove(token);
      await app.audit.record(actor, 'token.remove', id, { owner: owner.id });
    },
    auditList: async ({ p, page_size, action, actor_id }) => {
      const filter = { action: action || undefined, actorId: actor_id };
      return pageReply(await storage.auditLogs.page(filter, pageRequest(p, page_size)), { p, page_size }, presentAudit);
    },
    channelRuns: () => ({ tests: app.channelTests.report(), balances: app.channelAccounts.report() }),
    channelTypes: () => app.channelCatalog.types(),
    routeExplain: (input) => app.explainRoute(input.model, input.group),
  };
}

function dropAbsent(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** A user name, else an id: names may consist of digits. Throws AppError not_found. */
async function findByNameOrId(app: App, text: string): Promise<User> {
  const user =
    (await app.storage.users.findByUsername(text.trim())) ??
    (/^\d{1,15}$/.test(text.trim()) ? await app.storage.users.find(Number(text)) : null);
  if (user === null || user.deletedAt !== null) throw new AppError('not_found');
  return user;
}
