/** English of a Chinese table: the same keys, and a singular where English has one. */
export type EnglishOf<T> = { readonly [K in keyof T]: string } & {
  readonly [K in keyof T as K extends `${infer Stem}_other` ? `${Stem}_one` : never]?: string;
};
