import { presentSignedIn, presentUser } from '../../core/accounts/present-user.ts';
import type { App } from '../../core/app.ts';
import type { authApi } from '../../core/contract/auth.ts';
import { actorOf, type Handlers } from './context.ts';

export function authHandlers(app: App): Handlers<typeof authApi> {
  return {
    login: async ({ username, password }, context) => {
      const user = await app.signIn(username, password);
      await context.startSession(user.id, 'password');
      return presentSignedIn(user);
    },
    register: async (input) => {
      const { username, password, password2, aff_code: affCode } = input;
      await app.register({ username, password, password2, affCode });
    },
    logout: async (_input, context) => {
      await context.endSession();
    },
    info: async (_input, context) => {
      const user = await app.ownAccount.get(actorOf(context).id);
      const { email, phone, quota } = presentUser(user, true);
      return { ...presentSignedIn(user), email, phone, quota };
    },
  };
}
