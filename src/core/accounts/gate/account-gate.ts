/** The one place through which ways into an account change (docs/rules/accounts.md#ways-in). */
import type { Commit, Notes } from '../../audit/commit.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Storage } from '../../storage/storage.ts';
import type { AuditAction } from '../../vocabulary/audit-actions.ts';
import type { WayIn } from '../../vocabulary/ways-in.ts';
import type { StepUp } from '../factors/step-up.ts';
import { type Caller, sessionOf } from './caller.ts';
import type { ChangedWay } from './changed-way.ts';
import type { OwnerMail } from './owner-mail.ts';

export interface WayChange<T> extends ChangedWay {
  readonly userId: number;
  /** Of the audit log. */
  readonly action: AuditAction;
  readonly detail?: Readonly<Record<string, unknown>>;
  /** Runs in the transaction of the change. */
  readonly apply: (inside: Storage, notes: Notes) => Promise<T>;
}

declare const granted: unique symbol;
/** A caller whose proof was good. Only the gate makes one. */
export interface Passage {
  readonly caller: Caller;
  readonly way: WayIn;
  readonly [granted]: true;
}

export interface AccountGate {
  /**
   * Checks the proof, before anything is used up for the change. `password`: the account's, where
   * the caller sent it; it proves as much as a confirmation. Throws AppError session_required,
   * step_up_required, and with a password original_password_wrong, account_locked, sign_in_busy.
   */
  enter(caller: Caller, way: WayIn, password?: string): Promise<Passage>;
  /**
   * Changes the account with a row in the audit log, ends the other sessions where a password or a
   * factor changes, and mails the owner. Throws what `apply` throws.
   */
  change<T>(passage: Passage, change: WayChange<T>): Promise<T>;
}

export interface AccountGateDeps {
  readonly commit: Commit;
  readonly stepUp: Pick<StepUp, 'require' | 'checkPassword'>;
  readonly ownerMail: Pick<OwnerMail, 'send'>;
}

/** What somebody who is signed in elsewhere may not outlive. */
const endsSessions: ReadonlySet<WayIn> = new Set([
  'password',
  'totp',
  'passkey',
  'recovery_codes',
  'factors',
]);

export function createAccountGate({ commit, stepUp, ownerMail }: AccountGateDeps): AccountGate {
  const requireProof = async (caller: Caller, password: string | undefined): Promise<void> => {
    const { actor, proof } = caller;
    if (proof === 'operator' || proof === 'mailed' || proof === 'identity') return;
    if (password === undefined) await stepUp.require(actor, proof);
    else await stepUp.checkPassword(actor, password, sessionOf(caller));
  };

  return {
    enter: async (caller, way, password) => {
      // A call that does not say so is not in the table of test/security/ways-in.test.ts.
      if (!caller.waysIn.includes(way))
        throw new Error(`a call changes "${way}" without declaring it in \`waysIn\``);
      await requireProof(caller, password);
      return { caller, way } as Passage;
    },
    change: async ({ caller, way }, { userId, action, detail, apply, ...named }) => {
      const { actor } = caller;
      return commit(async (inside, notes) => {
        const owner = await inside.users.find(userId);
        if (owner === null) throw new AppError('not_found');
        const value = await apply(inside, notes);
        const kept = userId === actor.id ? sessionOf(caller) : undefined;
        if (endsSessions.has(way)) await inside.sessions.deleteByUser(userId, kept);
        notes.record(actor, action, userId, { username: owner.username, ...detail });
        notes.after('the mail to the owner', () => ownerMail.send(owner, caller, way, named));
        notes.changed('user', userId);
        return value;
      });
    },
  };
}
