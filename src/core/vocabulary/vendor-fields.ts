/** What the console says about the fields of a channel that only one vendor has. Declared in `fields.ts` of its folder. */

export type Words = Readonly<Record<'zh' | 'en', string>>;

interface FieldWords {
  readonly label: Words;
  readonly hint: Words;
}

export interface VendorFields {
  /** The channel's field `other`. Its label is also what `channels types` and messages call it. */
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
        /** A flag for which absent is a third answer of its own. */
        readonly threeWay?: boolean;
        /** The value with which the key is a plain text, at a vendor whose keys are JSON documents. */
        readonly plainKeyWhen?: string;
      }
    >
  >;
  /** The channel's field `openai_organization` is sent. */
  readonly organization?: boolean;
}
