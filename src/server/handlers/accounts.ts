import type { IdentitiesOfUser } from '../../core/accounts/identities.ts';
import type { User } from '../../core/accounts/own-account.ts';
import { presentSignedIn, presentUser, presentUserInfo } from '../../core/accounts/present-user.ts';
import { readNewUser, readProfileEdits, readUserEdits } from '../../core/accounts/user-fields.ts';
import { userFile } from '../../core/accounts/user-file.ts';
import type { App } from '../../core/app.ts';
import type { authApi } from '../../core/contract/auth.ts';
import { Reply } from '../../core/contract/envelope.ts';
import type { selfApi, userApi } from '../../core/contract/user.ts';
import { readFilters } from '../../core/entities/filters.ts';
import { userFilters } from '../../core/entities/user-filters.ts';
import { translate } from '../../core/i18n/translate.ts';
import type { Actor } from '../../core/kernel/actor.ts';
import { AppError } from '../../core/kernel/errors.ts';
import {
  actorOf,
  callerOf,
  type Handlers,
  type Listing,
  originOf,
  pageReply,
  pageRequest,
} from './context.ts';

export function accountHandlers(app: App) {
  return { auth: authHandlers(app), self: selfHandlers(app), user: userHandlers(app) };
}

function authHandlers({ accounts }: App): Handlers<typeof authApi> {
  return {
    login: async ({ username, password }, context) => {
      const user = await accounts.signIn('password', { username, password, ...originOf(context) });
      // The reply of this call has no place for a second step.
      if (await accounts.phone.secondStep.isDue(user)) throw new AppError('phone_check_required');
      await context.startSession(user, 'password');
      return presentSignedIn(user);
    },
    register: async (input, { clientIp: ip }) => {
      const {
        username,
        password,
        password2,
        aff_code: affCode,
        email,
        verification_code: code,
      } = input;
      await accounts.register({ username, password, password2, affCode, email, code, ip });
    },
    sendCode: async ({ email }, { language }) => {
      await accounts.verification.sendCode(email, language);
      return new Reply(undefined, translate(language, 'reply.code_sent'));
    },
    requestReset: async ({ email }, { language }) => {
      await accounts.reset.request(email, language);
      return new Reply(undefined, translate(language, 'reply.reset_sent'));
    },
    reset: ({ email, token }, { clientIp }) => accounts.reset.confirm(email, token, clientIp),
    disavow: async ({ token }, { clientIp, language }) => ({
      reset_mailed: await accounts.disavow(token, { ip: clientIp, language }),
    }),
    logout: async (_input, context) => {
      await context.endSession();
    },
    info: async (_input, context) => {
      return presentUserInfo(await accounts.own.get(actorOf(context).id));
    },
  };
}

function selfHandlers({ accounts, catalog }: App): Handlers<typeof selfApi> {
  const ownModels = async (actor: Actor) => [
    ...(await catalog.modelsFor(actor.group, await accounts.own.consentOf(actor))),
  ];
  return {
    get: async (_input, context) => {
      const user = await accounts.own.get(actorOf(context).id);
      return presentUser(user, await identitiesOf(accounts, user), true);
    },
    update: async (input, context) => {
      const change = { ...readProfileEdits(input), originalPassword: input.original_password };
      await accounts.own.update(callerOf(context), change);
    },
    remove: async (_input, context) => {
      await accounts.own.remove(callerOf(context));
      await context.endSession();
    },
    systemToken: (_input, context) => accounts.own.makeSystemToken(callerOf(context)),
    models: async (_input, context) => ownModels(actorOf(context)),
    groups: (_input, context) =>
      catalog.usableGroups(actorOf(context).group, translate(context.language, 'group.own')),
    availableModels: async (_input, context) => ownModels(actorOf(context)),
    inviteCode: (_input, context) => accounts.invites.codeOf(actorOf(context).id),
    transferInviteQuota: async ({ quota }, context) => {
      await accounts.invites.transfer(actorOf(context), quota);
      return new Reply(undefined, translate(context.language, 'reply.transferred'));
    },
    updateSetting: async (input, context) => {
      await accounts.updateSetting(actorOf(context).id, input);
      return new Reply(undefined, translate(context.language, 'reply.settings_updated'));
    },
    visitorGroups: (_input, context) =>
      catalog.groupsFor(undefined, translate(context.language, 'group.own')),
  };
}

function userHandlers(app: App): Handlers<typeof userApi> {
  const { users, identities } = app.accounts;
  const presentPage = async (
    page: Listing<User>,
    input: { p: number; page_size: number },
    actor: Actor,
  ) => {
    const known = await identities.ofUsers(page.items);
    return pageReply(page, input, (user) =>
      presentUser(user, known.get(user.id) ?? {}, user.id === actor.id),
    );
  };
  return {
    list: async (input, context) => {
      const page = await users.page({}, pageRequest(input.p, input.page_size));
      return presentPage(page, input, actorOf(context));
    },
    search: async (input, context) => {
      const page = await users.page(
        readFilters(userFilters, input),
        pageRequest(input.p, input.page_size),
        {
          by: input.sort,
          ascending: input.ascending,
        },
      );
      return presentPage(page, input, actorOf(context));
    },
    export: ({ sort, ascending, ...match }) =>
      userFile(users, readFilters(userFilters, match), { by: sort, ascending }),
    get: async ({ id }, context) => {
      const actor = actorOf(context);
      const user = await users.get(actor, id);
      return presentUser(user, await identitiesOf(app.accounts, user), id === actor.id);
    },
    create: async (input, context) => ({
      id: await users.create(actorOf(context), readNewUser(input)),
    }),
    update: async (input, context) => {
      await users.update(callerOf(context), input.id, {
        ...readUserEdits(input),
        quotaBase: input.quota_base,
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

async function identitiesOf(
  { identities }: App['accounts'],
  user: User,
): Promise<IdentitiesOfUser> {
  return (await identities.ofUsers([user])).get(user.id) ?? {};
}
