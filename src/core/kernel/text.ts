/** A short text in both languages of the product. */
export interface Text {
  readonly en: string;
  readonly zh: string;
}
