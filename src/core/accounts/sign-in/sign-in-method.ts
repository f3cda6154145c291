import type { OptionStore } from '../../site/option-store.ts';
import type { User } from '../../storage/storage.ts';
import type { IdentitiesOfUser } from '../identities.ts';

/** A third-party account, under the provider's name for it. */
export interface Identity {
  readonly provider: string;
  readonly subject: string;
}

/**
 * How the account of somebody who signs in for the first time is made
 * (docs/rules/accounts.md#first-sign-in).
 */
export interface Newcomer {
  /** Begins the user name where the provider's is not used. */
  readonly prefix: string;
  /** The name at the provider; used as the user name where it is valid and free. */
  readonly offeredName?: string;
  /** ''; where the provider names none, it is made of the label of the method. */
  readonly displayName: string;
  /** An address that the provider has verified. */
  readonly email?: string;
  /** Why no account is made for this person. */
  readonly refusal?: Error;
}

/**
 * An identity in the form of an earlier release, which is replaced at the first sign-in (GitHub's
 * login names).
 */
export interface FormerIdentity {
  readonly subject: string;
  /** The addresses that the provider has verified, in lower case. */
  verifiedEmails(): Promise<readonly string[]>;
}

export interface ProvenIdentity {
  readonly identity: Identity;
  /** Absent: only users who have bound the identity sign in. */
  readonly newcomer?: Newcomer;
  readonly formerly?: FormerIdentity;
}

/** The result of a successful sign-in: a user, or an identity whose user is then looked up. */
export type SignInProof = { readonly user: User } | ProvenIdentity;

/** What a provider is sent and returns, so that its reply belongs to this browser. */
export interface VisitSecrets {
  readonly state: string;
  readonly nonce: string;
  /** PKCE challenge (RFC 7636), method S256. */
  readonly challenge: string;
}

/** One way to sign in. docs/adding-things.md lists the files of a new one. */
export interface SignInMethod {
  /** Stored with the session, and part of the addresses of providers' callbacks. */
  readonly id: string;
  /**
   * The provider's name in messages: a text, or the key of a `rule.` text. Absent: the method is no
   * third party.
   */
  readonly label?: string;
  /** Under which the identities are stored. Absent: the method proves none. */
  readonly provider?: string;
  isEnabled(options: Pick<OptionStore, 'get'>): boolean;
  /** Whether the user can sign in by it. */
  isOpenTo(user: User, identities: IdentitiesOfUser): boolean;
  /** For methods that first send the browser to a provider: the URL there. */
  begin?(secrets: VisitSecrets): string;
  /**
   * Checks what the caller sent. Throws AppError; `wrong_credentials` if the caller must not learn
   * the reason.
   */
  complete(input: Readonly<Record<string, string>>): Promise<SignInProof>;
}
