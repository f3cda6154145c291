import { presentUser } from '../../core/accounts/present-user.ts';
import type { App } from '../../core/app.ts';
import { Reply } from '../../core/contract/envelope.ts';
import type { selfApi, userApi } from '../../core/contract/user.ts';
import { actorOf, type Handlers, pageReply, pageRequest } from './context.ts';

export function selfHandlers(app: App): Handlers<typeof selfApi> {
  return {
    get: async (_input, context) => presentUser(await app.ownAccount.get(actorOf(context).id), true),
    update: async (input, context) => {
      await app.ownAccount.update(
        actorOf(context).id,
        {
          username: input.username,
          displayName: input.display_name,
          nickname: input.nickname,
          portrait: input.portrait,
          password: input.password,
          originalPassword: input.original_password,
        },
        context.sessionHash,
      );
    },
    remove: async (_input, context) => {
      await app.ownAccount.remove(actorOf(context));
      await context.endSession();
    },
    systemToken: (_input, context) => app.ownAccount.makeSystemToken(actorOf(context)),
    models: async (_input, context) => [...(await app.catalog.modelsFor(actorOf(context).group))],
    groups: (_input, context) => app.catalog.usableGroups(actorOf(context).group, app.translate(context.language, 'group.own')),
    availableModels: async (_input, context) => [...(await app.catalog.modelsFor(actorOf(context).group))],
    inviteCode: (_input, context) => app.invites.codeOf(actorOf(context).id),
    transferInviteQuota: async ({ quota }, context) => {
      await app.invites.transfer(actorOf(context), quota);
      return new Reply(undefined, app.translate(context.language, 'reply.transferred'));
    },
    updateSetting: async (input, context) => {
      await app.updateSetting(actorOf(context).id, input);
      return new Reply(undefined, app.translate(context.language, 'reply.settings_updated'));
    },
    visitorGroups: (_input, context) => app.catalog.visitorGroups(app.translate(context.language, 'group.own')),
  };
}

export function userHandlers(app: App): Handlers<typeof userApi> {
  const users = app.userAdministration;
  return {
    list: async (input, context) => {
      const page = await users.page({}, pageRequest(input.p, input.page_size));
      return pageReply(page, input, (user) => presentUser(user, user.id === actorOf(context).id));
    },
    search: async (input, context) => {
      const filter = { keyword: input.keyword.trim(), group: input.group };
      const page = await users.page(filter, pageRequest(input.p, input.page_size));
      return pageReply(page, input, (user) => presentUser(user, user.id === actorOf(context).id));
    },
    get: async ({ id }, context) => {
      const actor = actorOf(context);
      return presentUser(await users.get(actor, id), id === actor.id);
    },
    create: async (input, context) => ({
      id: await users.create(actorOf(context), {
        username: input.username,
        password: input.password,
        displayName: input.display_name,
        role: input.role,
        group: input.group,
        quota: input.quota,
      }),
    }),
    update: async (input, context) => {
      await users.update(actorOf(context), input.id, {
        username: input.username,
        displayName: input.display_name,
        nickname: input.nickname,
        password: input.password,
        group: input.group,
        quota: input.quota,
        quotaBase: input.quota_base,
        role: input.role,
      });
    },
    grant: async ({ user_id, quota, remark = '' }, context) => {
      await users.grant(actorOf(context), user_id, quota, remark);
    },
    manage: async ({ id, action }, context) => {
      const { role, status } = await users.manage(actorOf(context), id, action);
      return { id, role, status };
    },
    remove: async ({ id }, context) => {
      await users.remove(actorOf(context), id);
    },
  };
}
