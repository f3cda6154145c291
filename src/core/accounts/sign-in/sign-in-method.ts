import type { OptionStore } from '../../site/option-store.ts';
import type { User } from '../../storage/storage.ts';

/** A third-party account, under the provider's name for it. */
export interface Identity {
  readonly provider: string;
  readonly subject: string;
}

/** The result of a successful sign-in: a user, or an identity whose user is then looked up. */
export type SignInProof = { readonly user: User } | { readonly identity: Identity };

/** One way to sign in. docs/adding-things.md lists the files of a new one. */
export interface SignInMethod {
  /** Stored with the session. */
  readonly id: string;
  isEnabled(options: Pick<OptionStore, 'get'>): boolean;
  /** For methods that first send the browser to a provider: the URL there. */
  begin?(state: string): Promise<{ readonly url: string }>;
  /** Checks what the caller sent. Throws AppError; `wrong_credentials` if the caller must not learn the reason. */
  complete(input: Readonly<Record<string, string>>): Promise<SignInProof>;
}
