/** What a change replaced, so that it can be taken back. */
export type Undo =
  | { readonly phone: string }
  | { readonly provider: string; readonly subject: string; readonly former: string }
  | { readonly credentialId: string };

/** A change of a way into an account, as the mail to its owner names it. */
export interface ChangedWay {
  /** It was removed instead of added or replaced. */
  readonly removed?: boolean;
  /** A provider's name, or the key of its `rule.` text. */
  readonly provider?: string;
  /** How to take it back if it was not the owner. */
  readonly undo?: Undo;
}
