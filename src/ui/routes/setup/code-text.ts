/**
 * Reading a setup code from what was pasted or from the address
 * (docs/rules/accounts.md#setup-code).
 */

/** A generated code has this many characters. */
export const codeLength = 6;

/**
 * `fits`: the text has the form of a generated code. Anything else may be a code that was chosen
 * with SETUP_TOKEN.
 */
export interface CodeText {
  readonly text: string;
  readonly fits: boolean;
}

/**
 * Blanks, dashes and lower case do not matter in a generated code; any other text is kept as it is.
 */
export function readCode(given: string): CodeText {
  const bare = given.replace(/[\s\p{Pd}]/gu, '');
  const fits = bare.length === codeLength && /^[0-9a-z]+$/i.test(bare);
  return { text: fits ? bare.toUpperCase() : given.trim(), fits };
}

/**
 * The code of a setup link, from the hash of its address (`#code=7KQ-2MF`); undefined when it has
 * none.
 */
export function codeOfHash(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#/, '')).get('code') || undefined;
}
