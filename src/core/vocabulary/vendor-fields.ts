/**
 * Console texts of the channel fields that only one vendor has, declared in `fields.ts` of its
 * folder.
 */

import type { Language } from './languages.ts';

export type Words = Readonly<Record<Language, string>>;

interface FieldWords {
  readonly label: Words;
  readonly hint: Words;
}

export interface VendorFields {
  /** The channel's field `other`. Its label is also used by `channels types` and in messages. */
  readonly other?: FieldWords & {
    /** Shown while the field is empty. */
    readonly example?: string;
    /** The text may have several lines. */
    readonly multiline?: boolean;
  };
  /** Fields of the channel's `setting`, by name. */
  readonly settings?: Readonly<
    Record<
      string,
      FieldWords & {
        /** A flag with three states: true, false and absent. */
        readonly threeWay?: boolean;
        /**
         * The value with which keys are plain text, for a vendor whose keys are otherwise JSON
         * documents.
         */
        readonly plainKeyWhen?: string;
      }
    >
  >;
  /** Whether the channel's field `openai_organization` is sent. */
  readonly organization?: boolean;
}
