/**
 * `context`: the prompt, or prompt and answer together, exceed what the model reads. `content`: a
 * filter of the vendor held the prompt or the answer back. `account`: nothing that the caller sent
 * is at fault.
 */
export type FailureTopic = 'context' | 'content' | 'account';

export interface KnownFailure {
  readonly about: FailureTopic;
  /** Slug of the provider whose codes these are; absent: they mean the same at every vendor. */
  readonly vendor?: string;
  /** Codes, or types of errors; as a whole, in any case. */
  readonly codes?: readonly string[];
  /** Texts in lower case; one that has several parts is found where the message has all of them. */
  readonly words?: readonly (readonly string[])[];
  readonly source: string;
  readonly seen: string;
}

/** When the pages were read. */
export const seen = '2026-11-28';
