import type { Audit } from '../audit/audit-log.ts';
import type { DeferredPostings, Ledger } from '../billing/index.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import type { WriteLog } from '../logs/write-log.ts';
import type { Mailer } from '../notices/mail.ts';
import type { BackgroundJob } from '../runtime/background-job.ts';
import type { ServiceModule } from '../runtime/service-module.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Storage } from '../storage/storage.ts';
import type { GuardPolicy } from '../upstream/guard.ts';
import { type Authentication, createAuthentication } from './authentication.ts';
import { bindCreateAccount } from './create-account.ts';
import { createEmailVerification, type EmailVerification } from './email-verification.ts';
import { bindCheckFactors, type CheckFactors } from './factors/check-factors.ts';
import { createOneTimeTokens } from './factors/one-time-tokens.ts';
import { createOwnFactors, type OwnFactors } from './factors/own-factors.ts';
import { createPasskeyProof, type PasskeyProof } from './factors/passkey-proof.ts';
import { createStepUp, type StepUp } from './factors/step-up.ts';
import { createFactorVerifier } from './factors/verify-factor.ts';
import { createIdentityDirectory, type IdentityDirectory } from './identities.ts';
import { createInvites, type Invites } from './invites.ts';
import { createMailCodes } from './mail-codes.ts';
import { createOwnAccount, type OwnAccount } from './own-account.ts';
import { createPasswordReset, type PasswordReset } from './password-reset.ts';
import { bindRegister, type Register } from './register.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { createLoginGuard } from './sign-in/login-guard.ts';
import { createOpenSession, type OpenSession } from './sign-in/open-session.ts';
import { createPasskeyMethod } from './sign-in/passkey-method.ts';
import { createPasswordMethod } from './sign-in/password-method.ts';
import { createSignIn, type SignIn } from './sign-in/sign-in.ts';
import type { SignInMethod } from './sign-in/sign-in-method.ts';
import { createSignOut, type SignOut } from './sign-out.ts';
import { createUserAdministration, type UserAdministration } from './user-administration.ts';
import { bindUpdateSetting, type UpdateSetting } from './user-setting.ts';

export interface AccountsModuleDeps {
  readonly storage: Storage;
  readonly ledger: Ledger;
  readonly deferred: DeferredPostings;
  readonly options: OptionStore;
  readonly writeLog: WriteLog;
  readonly cluster: Cluster;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly mailer: Mailer;
  /** Which addresses webhooks may use. */
  readonly guard: GuardPolicy;
  /** Creates the first token of a new account (GENERATE_DEFAULT_TOKEN). */
  readonly createFirstToken: (userId: number, username: string) => Promise<void>;
}

export interface AccountServices extends Authentication {
  readonly signIn: SignIn;
  readonly identities: IdentityDirectory;
  readonly register: Register;
  readonly verification: EmailVerification;
  readonly reset: PasswordReset;
  readonly sessions: Sessions;
  readonly openSession: OpenSession;
  readonly factors: OwnFactors;
  readonly passkeys: PasskeyProof;
  readonly stepUp: StepUp;
  readonly checkFactors: CheckFactors;
  readonly own: OwnAccount;
  readonly invites: Invites;
  readonly signOut: SignOut;
  readonly users: UserAdministration;
  readonly updateSetting: UpdateSetting;
}

export function createAccountsModule(deps: AccountsModuleDeps): ServiceModule<AccountServices> {
  const { storage, options, cluster, clock, ids } = deps;
  const { changes } = cluster;
  const sessions = createSessions({ storage, clock, ids });
  const common = { ...deps, changes, sessions };
  const createAccount = bindCreateAccount(common);
  const invites = createInvites(common);
  const guard = createLoginGuard(cluster);
  const tokens = createOneTimeTokens(deps);
  const passkeys = createPasskeyProof({ storage, options, tokens, clock });
  const factors = createFactorVerifier({ storage, passkeys, guard, clock });
  const stepUp = createStepUp({ storage, factors, sessions, guard, clock });
  const methods: readonly SignInMethod[] = [
    createPasswordMethod({ storage, guard, ids }),
    createPasskeyMethod({ storage, passkeys }),
  ];
  const codes = createMailCodes(deps);
  const verification = createEmailVerification({ ...deps, codes });
  const reset = createPasswordReset({ ...common, codes, guard });
  return {
    services: {
      ...createAuthentication({ storage, sessions }),
      signIn: createSignIn({ storage, options, methods }),
      identities: createIdentityDirectory(storage),
      register: bindRegister({ options, verification, createAccount, ids, createFirstToken: deps.createFirstToken }),
      verification,
      reset,
      sessions,
      openSession: createOpenSession({ storage, sessions, factors, passkeys, tokens }),
      factors: createOwnFactors({ ...common, passkeys, tokens, guard }),
      passkeys,
      stepUp,
      checkFactors: bindCheckFactors({ options, factors, stepUp }),
      own: createOwnAccount({ ...common, guard }),
      invites,
      signOut: createSignOut(common),
      users: createUserAdministration({ ...common, createAccount }),
      updateSetting: bindUpdateSetting({ storage, changes, guard: deps.guard }),
    },
    jobs: [purgeJob(storage, clock)],
    stop: () => reset.settled(),
  };
}

function purgeJob(storage: Pick<Storage, 'sessions' | 'verificationCodes'>, clock: Clock): BackgroundJob {
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
