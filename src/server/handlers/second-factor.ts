import { presentSignedIn } from '../../core/accounts/present-user.ts';
import type { App } from '../../core/app.ts';
import type {
  secondFactorApi,
  secondStepApi,
  stepUpApi,
} from '../../core/contract/second-factor.ts';
import { AppError } from '../../core/kernel/errors.ts';
import { isAdmin } from '../../core/vocabulary/roles.ts';
import { actorOf, type CallContext, callerOf, type Handlers } from './context.ts';

export function secondFactorHandlers(app: App) {
  return {
    secondStep: secondStepHandlers(app),
    secondFactor: ownHandlers(app),
    stepUp: stepUpHandlers(app),
  };
}

/** The library's options as plain JSON. */
const plain = async (options: Promise<object>): Promise<Record<string, unknown>> => ({
  ...(await options),
});

function secondStepHandlers({ accounts, site }: App): Handlers<typeof secondStepApi> {
  return {
    passkeyOptions: () => {
      if (!site.options.get('PasskeyLoginEnabled')) throw new AppError('passkey_unavailable');
      return plain(accounts.passkeys.request('passkey-sign-in'));
    },
    passkey: async ({ passkey }, context) => {
      const user = await accounts.signIn('passkey', { response: JSON.stringify(passkey) });
      await context.startSession(user, 'passkey');
      return presentSignedIn(user);
    },
    challengeOptions: ({ challenge }, { clientIp }) =>
      plain(accounts.openSession.passkeyRequest(challenge, clientIp)),
    complete: async ({ challenge, ...proof }, context) =>
      presentSignedIn(await context.finishSignIn(challenge, proof)),
  };
}

function ownHandlers({
  accounts: { factors, passkeys },
  site,
}: App): Handlers<typeof secondFactorApi> {
  return {
    get: async (_input, context) => {
      const actor = actorOf(context);
      const overview = await factors.overview(actor.id);
      return {
        totp_since: overview.totpSince,
        passkeys: overview.passkeys.map((passkey) => ({
          id: passkey.id,
          name: passkey.name,
          created_at: passkey.createdAt,
          last_used_at: passkey.lastUsedAt,
          backed_up: passkey.backedUp,
          host: passkey.rpId,
        })),
        recovery_codes_left: overview.recoveryCodesLeft,
        required: isAdmin(actor.role) && site.options.get('SecondFactorRequiredForAdmins'),
        passkey_origin: passkeys.findParty()?.origin ?? '',
      };
    },
    beginTotp: (_input, context) => factors.beginTotp(callerOf(context)),
    confirmTotp: async ({ code }, context) => ({
      recovery_codes: [...(await factors.confirmTotp(callerOf(context), code))],
    }),
    removeTotp: (_input, context) => done(factors.removeTotp(callerOf(context))),
    beginPasskey: (_input, context) => plain(factors.beginPasskey(callerOf(context))),
    addPasskey: async ({ passkey, name }, context) => ({
      recovery_codes: [...(await factors.addPasskey(callerOf(context), passkey, name))],
    }),
    renamePasskey: ({ id, name }, context) =>
      done(factors.renamePasskey(actorOf(context).id, id, name)),
    removePasskey: ({ id }, context) => done(factors.removePasskey(callerOf(context), id)),
    renewRecoveryCodes: async (_input, context) => ({
      recovery_codes: [...(await factors.renewRecoveryCodes(callerOf(context)))],
    }),
    reset: ({ id }, context) => done(factors.reset(callerOf(context), id)),
  };
}

const done = (work: Promise<void>): Promise<undefined> => work.then(() => undefined);

function stepUpHandlers({ accounts: { passkeys, stepUp } }: App): Handlers<typeof stepUpApi> {
  return {
    methods: async (_input, context) => ({
      methods: [...(await stepUp.kindsOf(actorOf(context).id))],
    }),
    options: (_input, context) => plain(passkeys.request('passkey-step-up', actorOf(context).id)),
    confirm: async (proof, context) => {
      await stepUp.confirm(actorOf(context), sessionOf(context), proof);
    },
  };
}

/** Only a session can be confirmed. Throws AppError session_required. */
function sessionOf({ session }: CallContext): string {
  if (session === undefined) throw new AppError('session_required');
  return session.idHash;
}
