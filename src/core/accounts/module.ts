import type { Audit } from '../audit/audit-log.ts';
import type { Commit } from '../audit/commit.ts';
import type { DeferredPostings, Ledger } from '../billing/index.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { Config } from '../config/schema.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import type { WriteLog } from '../logs/write-log.ts';
import type { Mailer } from '../notices/mail.ts';
import type { TextMessages } from '../notices/sms/sms.ts';
import type { BackgroundJob } from '../runtime/background-job.ts';
import type { ServiceModule } from '../runtime/service-module.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Storage } from '../storage/storage.ts';
import type { GuardPolicy } from '../upstream/guard.ts';
import { createCalls } from '../upstream/open-upstream.ts';
import { type Authentication, createAuthentication } from './authentication.ts';
import { type Bindings, createBindings } from './bindings.ts';
import { bindConsoleLogin, type ConsoleLogin } from './console-login.ts';
import { bindCreateAccount } from './create-account.ts';
import { createEmailVerification, type EmailVerification } from './email-verification.ts';
import { bindCheckFactors, type CheckFactors } from './factors/check-factors.ts';
import { createOneTimeTokens } from './factors/one-time-tokens.ts';
import { createOwnFactors, type OwnFactors } from './factors/own-factors.ts';
import { createPasskeyProof, type PasskeyProof } from './factors/passkey-proof.ts';
import { createStepUp, type StepUp } from './factors/step-up.ts';
import { createFactorVerifier } from './factors/verify-factor.ts';
import { createAccountGate } from './gate/account-gate.ts';
import { bindDisavow, type Disavow } from './gate/disavowal.ts';
import { createDisavowalLinks } from './gate/disavowal-links.ts';
import { createOwnerMail } from './gate/owner-mail.ts';
import { bindRequireHuman, type RequireHuman } from './human-check.ts';
import { createIdentityDirectory, type IdentityDirectory } from './identities.ts';
import { createInvites, type Invites } from './invites.ts';
import { createOwnAccount, type OwnAccount } from './own-account.ts';
import { createPasswordReset, type PasswordReset } from './password-reset.ts';
import { createPhoneServices, type PhoneServices } from './phone/phone.ts';
import { createPreLogins, type PreLogins } from './pre-logins.ts';
import { createRateLimits } from './rate-limits.ts';
import { bindRegister, type Register } from './register.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { bindFindMethod } from './sign-in/find-method.ts';
import { bindJoin } from './sign-in/join.ts';
import { createKnownDevices, type KnownDevices } from './sign-in/known-devices.ts';
import { createLoginGuard } from './sign-in/login-guard.ts';
import { createOpenSession, type OpenSession } from './sign-in/open-session.ts';
import { createPasskeyMethod } from './sign-in/passkey-method.ts';
import { createPasswordMethod } from './sign-in/password-method.ts';
import { createPhoneMethod } from './sign-in/phone-method.ts';
import { bindRemoveMethod } from './sign-in/remaining-method.ts';
import { createSignIn, type SignIn } from './sign-in/sign-in.ts';
import type { SignInMethod } from './sign-in/sign-in-method.ts';
import { createSignOut, type SignOut } from './sign-out.ts';
import { createThirdPartyMethods } from './third-party/methods.ts';
import type { OidcDiscovery } from './third-party/oidc-discovery.ts';
import { createProviderVisits, type ProviderVisits } from './third-party/visits.ts';
import { createUserAdministration, type UserAdministration } from './user-administration.ts';
import { createUserBulk, type UserBulk } from './user-bulk.ts';
import { bindUpdateSetting, type UpdateSetting } from './user-setting.ts';
import { createVerificationCodes } from './verification-codes.ts';

export interface AccountsModuleDeps {
  readonly config: Config;
  readonly storage: Storage;
  readonly ledger: Ledger;
  readonly deferred: DeferredPostings;
  readonly options: OptionStore;
  readonly writeLog: WriteLog;
  readonly cluster: Cluster;
  readonly audit: Audit;
  readonly commit: Commit;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly mailer: Mailer;
  readonly sms: TextMessages;
  /** The address of this site, without a trailing slash. */
  readonly baseUrl: () => string;
  /** Which addresses webhooks may use. */
  readonly guard: GuardPolicy;
  /** Creates the first token of a new account (GENERATE_DEFAULT_TOKEN). */
  readonly createFirstToken: (userId: number, username: string) => Promise<void>;
  /** Deletes the files of a user whose account was deleted. Never rejects. */
  readonly deleteFiles: (userId: number) => Promise<void>;
}

export interface AccountServices extends Authentication {
  readonly consoleLogin: ConsoleLogin;
  readonly signIn: SignIn;
  readonly identities: IdentityDirectory;
  readonly bindings: Bindings;
  readonly visits: ProviderVisits;
  readonly oidcDiscovery: Pick<OidcDiscovery, 'read'>;
  readonly register: Register;
  readonly verification: EmailVerification;
  readonly phone: PhoneServices;
  readonly reset: PasswordReset;
  readonly sessions: Sessions;
  readonly devices: KnownDevices;
  readonly preLogins: PreLogins;
  readonly requireHuman: RequireHuman;
  readonly openSession: OpenSession;
  readonly factors: OwnFactors;
  readonly passkeys: PasskeyProof;
  readonly stepUp: StepUp;
  readonly checkFactors: CheckFactors;
  readonly own: OwnAccount;
  readonly disavow: Disavow;
  readonly invites: Invites;
  readonly signOut: SignOut;
  readonly users: UserAdministration;
  readonly userBulk: UserBulk;
  readonly updateSetting: UpdateSetting;
}

export function createAccountsModule(deps: AccountsModuleDeps): ServiceModule<AccountServices> {
  const { storage, options, cluster, clock, ids } = deps;
  const sessions = createSessions({ storage, clock, ids });
  const authentication = createAuthentication({ storage, sessions });
  const limits = createRateLimits(deps.config, cluster);
  const createAccount = bindCreateAccount(deps);
  const devices = createKnownDevices(deps);
  const guard = createLoginGuard({ cluster, devices });
  const codes = createVerificationCodes({ ...deps, guard });
  const tokens = createOneTimeTokens(deps);
  const passkeys = createPasskeyProof({ storage, options, tokens, clock });
  const factors = createFactorVerifier({ storage, passkeys, guard, clock });
  const stepUp = createStepUp({ storage, factors, sessions, guard, clock });
  const links = createDisavowalLinks(deps);
  const ownerMail = createOwnerMail({ ...deps, links });
  const gate = createAccountGate({ commit: deps.commit, stepUp, ownerMail });
  const common = { ...deps, sessions, gate };
  const invites = createInvites(common);
  const verification = createEmailVerification({ ...deps, codes });
  const reset = createPasswordReset({ ...common, codes });
  const preLogins = createPreLogins(deps);
  // Calls hosts that the owner sets.
  const upstream = createCalls();
  const thirdParty = createThirdPartyMethods({ ...deps, upstream });
  const removeMethod = bindRemoveMethod(deps, () => methods);
  const phone = createPhoneServices({ ...common, codes, removeMethod });
  const methods: readonly SignInMethod[] = [
    createPasswordMethod({ storage, guard, ids }),
    createPasskeyMethod({ storage, passkeys }),
    createPhoneMethod({ ...deps, createAccount, codes, phoneCodes: phone.codes }),
    phone.secondStepMethod,
    ...thirdParty.methods,
  ];
  const findMethod = bindFindMethod(methods, options);
  const signIn = createSignIn({
    storage,
    gate,
    clock,
    findMethod,
    join: bindJoin({ ...deps, createAccount }),
  });
  const bindings = createBindings({ ...common, methods, findMethod, removeMethod, verification });
  const signOut = createSignOut(common);
  const users = createUserAdministration({ ...common, createAccount });
  return {
    services: {
      ...authentication,
      consoleLogin: bindConsoleLogin({
        storage,
        options,
        limits,
        authenticate: authentication.authenticate,
      }),
      signIn,
      identities: createIdentityDirectory(storage),
      bindings,
      visits: createProviderVisits({ preLogins, findMethod, signIn, bindings, gate, ids }),
      oidcDiscovery: thirdParty.discovery,
      register: bindRegister({
        options,
        verification,
        createAccount,
        ids,
        createFirstToken: deps.createFirstToken,
      }),
      verification,
      phone,
      reset,
      sessions,
      devices,
      preLogins,
      requireHuman: bindRequireHuman({
        ...deps,
        preLogins,
        upstream,
        endpoint: deps.config.turnstileEndpoint,
      }),
      openSession: createOpenSession({ storage, sessions, factors, passkeys, tokens }),
      factors: createOwnFactors({ ...common, passkeys, tokens, guard }),
      passkeys,
      stepUp,
      checkFactors: bindCheckFactors({ options, factors }),
      own: createOwnAccount(common),
      disavow: bindDisavow({ ...common, links, reset }),
      invites,
      signOut,
      users,
      userBulk: createUserBulk({ ...deps, administration: users, signOut }),
      updateSetting: bindUpdateSetting(deps),
    },
    jobs: [purgeJob(storage, clock)],
    stop: async () => void (await Promise.all([reset.settled(), ownerMail.settled()])),
    close: () => upstream.close(),
  };
}

function purgeJob(
  storage: Pick<Storage, 'sessions' | 'verificationCodes'>,
  clock: Clock,
): BackgroundJob {
  return {
    name: 'purge-sessions-and-codes',
    interval: () => 600,
    scope: 'gateway',
    timeout: 300,
    run: async () => {
      await storage.sessions.purge(nowSeconds(clock));
      await storage.verificationCodes.purge(nowSeconds(clock));
    },
  };
}
