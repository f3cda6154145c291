import type { OptionStore } from '../../site/option-store.ts';
import type { User } from '../../storage/storage.ts';

/** An account at a third party, as the provider names it. */
export interface Identity {
  readonly provider: string;
  readonly subject: string;
}

/** What a successful sign-in proves: which user, or which identity, whose user is looked up then. */
export type SignInProof = { readonly user: User } | { readonly identity: Identity };

/** One way to sign in. docs/adding-things.md lists the files of a new one. */
export interface SignInMethod {
  /** Stored with the session. */
  readonly id: string;
  isEnabled(options: Pick<OptionStore, 'get'>): boolean;
  /** For methods that send the browser to a provider first: where to. */
  begin?(state: string): Promise<{ readonly url: string }>;
  /** Checks what the caller sent. Throws AppError, `wrong_credentials` where the caller must not learn more. */
  complete(input: Readonly<Record<string, string>>): Promise<SignInProof>;
}
