import { requireCallAllowed } from '../../core/accounts/call-access.ts';
import type { User } from '../../core/accounts/own-account.ts';
import { presentSignedIn } from '../../core/accounts/present-user.ts';
import type { App } from '../../core/app.ts';
import { Reply } from '../../core/contract/envelope.ts';
import type { oauthApi } from '../../core/contract/oauth.ts';
import { actorOf, type CallContext, callerOf, type Handlers } from './context.ts';

export function oauthHandlers({ accounts, site: { options } }: App): Handlers<typeof oauthApi> {
  const { visits, bindings } = accounts;
  const userOf = (context: CallContext) => (context.actor === null ? null : callerOf(context));
  const visitorOf = (context: CallContext) => ({
    token: context.preLogin.read(),
    caller: userOf(context),
  });

  const signIn = async (user: User, method: string, context: CallContext) => {
    await context.startSession(user, method);
    return presentSignedIn(user);
  };

  return {
    state: ({ aff }, context) => visits.beginPlain(context.preLogin.open(), userOf(context), aff),
    begin: async ({ type, aff }, context) => ({
      url: await visits.begin(type, context.preLogin.open(), userOf(context), aff),
    }),
    callback: async ({ type, ...callback }, context) => {
      const { actor } = context;
      // A user who is signed in changes their account.
      if (actor !== null)
        requireCallAllowed({
          access: 'user',
          changes: true,
          actor,
          isDemoSite: options.get('DemoSiteEnabled'),
        });
      const user = await visits.finish(type, visitorOf(context), callback);
      return user === null ? new Reply(undefined, 'bind') : signIn(user, type, context);
    },
    wechat: async ({ code, state, aff }, context) => {
      const visit = await visits.end(visitorOf(context), state);
      return signIn(
        await accounts.signIn('wechat', { code }, aff || visit.affCode),
        'wechat',
        context,
      );
    },
    wechatBind: async ({ code }, context) => {
      await bindings.bind(callerOf(context), 'wechat', { code });
    },
    telegram: async (fields, context) => {
      // What Telegram signed for somebody else has no state of this browser.
      await visits.end(visitorOf(context), fields.state);
      return signIn(await accounts.signIn('telegram', textsOf(fields)), 'telegram', context);
    },
    telegramBind: async (fields, context) => {
      await visits.endBinding(visitorOf(context), fields.state);
      await bindings.bind(callerOf(context), 'telegram', textsOf(fields));
    },
    emailBind: async ({ email, code }, context) => {
      await bindings.bindEmail(callerOf(context), email, code);
    },
    identities: async (_input, context) =>
      (await bindings.list(actorOf(context).id)).map(({ method, subject, createdAt }) => ({
        type: method,
        id: subject,
        created_at: createdAt,
      })),
    unbind: async ({ type }, context) => {
      await bindings.unbind(callerOf(context), type);
    },
  };
}

/** The fields of a query; a body may hold other values. */
export function textsOf(
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(fields).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}
