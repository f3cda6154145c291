import type { Secret } from '../../kernel/secret.ts';

/** A row of `totp_secrets`: the secret that a user's authenticator app has. */
export interface TotpSecret {
  readonly userId: number;
  readonly secret: Secret;
  /** The secret as it is stored: tells it from one that has replaced it. */
  readonly sealed: string;
  /** When a first code proved that the app has it; 0: not yet, so it is no factor. Unix seconds. */
  readonly confirmedAt: number;
  /**
   * The time step of the last code that was accepted. No code of it or of an earlier one is
   * accepted again.
   */
  readonly lastStep: number;
  readonly createdAt: number;
}

/** A row of `passkeys`: a WebAuthn credential. */
export interface Passkey {
  readonly id: number;
  readonly userId: number;
  /** The authenticator's id of it, base64url. */
  readonly credentialId: string;
  /** COSE key, base64url. */
  readonly publicKey: string;
  /** The authenticator's signature counter; 0 where it has none. */
  readonly counter: number;
  /** Comma-separated: `internal`, `usb`, … */
  readonly transports: string;
  /** The host name that it was made for. */
  readonly rpId: string;
  readonly name: string;
  /** Whether its provider keeps it on several devices. */
  readonly backedUp: boolean;
  readonly createdAt: number;
  /** 0: never. */
  readonly lastUsedAt: number;
}

/** A user's second factors (docs/rules/accounts.md#second-factor). */
export interface SecondFactorRepository {
  /** Whether the user has a confirmed authenticator app or a passkey. */
  has(userId: number): Promise<boolean>;
  deleteByUser(userId: number): Promise<void>;

  findTotp(userId: number): Promise<TotpSecret | null>;
  /** Replaces a secret that is not confirmed; false if there is a confirmed one. */
  putTotp(userId: number, secret: Secret, createdAt: number): Promise<boolean>;
  /** False if the secret was replaced, confirmed or deleted meanwhile. */
  confirmTotp(totp: TotpSecret, step: number, at: number): Promise<boolean>;
  /** Uses up the codes up to this step. Of several concurrent callers exactly one gets true. */
  takeTotpStep(userId: number, step: number): Promise<boolean>;
  deleteTotp(userId: number): Promise<boolean>;

  /** The oldest first. */
  passkeys(userId: number): Promise<readonly Passkey[]>;
  findPasskey(credentialId: string): Promise<Passkey | null>;
  /** Returns the new id. Throws AppError conflict if the credential is known. */
  insertPasskey(passkey: Omit<Passkey, 'id' | 'lastUsedAt'>): Promise<number>;
  renamePasskey(userId: number, id: number, name: string): Promise<boolean>;
  /** Stores the counter of a use; false if another use has changed it meanwhile. */
  notePasskeyUse(passkey: Passkey, counter: number, at: number): Promise<boolean>;
  deletePasskey(userId: number, id: number): Promise<boolean>;

  /** Replaces all recovery codes of a user. */
  putRecoveryCodes(userId: number, hashes: readonly string[]): Promise<void>;
  countRecoveryCodes(userId: number): Promise<number>;
  /** Of several concurrent callers exactly one gets true. */
  takeRecoveryCode(userId: number, hash: string): Promise<boolean>;
}
