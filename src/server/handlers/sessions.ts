import type { App } from '../../core/app.ts';
import type { sessionApi } from '../../core/contract/sessions.ts';
import { actorOf, type Handlers } from './context.ts';

export function sessionHandlers({ accounts }: App): Handlers<typeof sessionApi> {
  const { signOut, own } = accounts;
  return {
    list: async (_input, context) => {
      const rows = await signOut.list(actorOf(context).id);
      return rows.map(({ id, idHash, method, userAgent, ip, createdAt, lastSeen }) => ({
        id,
        method,
        user_agent: userAgent,
        ip,
        created_at: createdAt,
        last_seen: lastSeen,
        current: idHash === context.session?.idHash,
      }));
    },
    end: async ({ id }, context) => {
      await signOut.endOne(actorOf(context), id);
    },
    endAll: async ({ except_current: keepsCurrent }, context) => {
      const ended = await signOut.endOwn(
        actorOf(context),
        keepsCurrent ? context.session?.idHash : undefined,
      );
      if (!keepsCurrent) await context.endSession();
      return { ended };
    },
    endOf: async ({ id }, context) => ({ ended: await signOut.endAllOf(actorOf(context), id) }),
    credentials: async (_input, context) => {
      const { hasPassword, hasSystemToken } = await own.credentials(actorOf(context).id);
      return { has_password: hasPassword, has_system_token: hasSystemToken };
    },
  };
}
