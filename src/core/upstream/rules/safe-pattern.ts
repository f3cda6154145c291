/**
 * Regular expressions that administrators enter and that are matched against texts of callers. The
 * syntax is RE2, as in New API, which is written in Go: no backreferences, and matching takes
 * linear time whatever the pattern.
 */
import { RE2JS, RE2JSException } from 're2js';

export interface SafePattern {
  /** Whether it matches anywhere in the text. */
  test(text: string): boolean;
  /**
   * Replaces every match. `$1`, `$<name>` and `$&` in the replacement stand for groups and the
   * whole match.
   */
  replaceAll(text: string, replacement: string): string;
}

/** Undefined when the text is not a valid RE2 pattern. */
export function compilePattern(
  text: string,
  settings: { readonly ignoreCase?: boolean } = {},
): SafePattern | undefined {
  try {
    const pattern = RE2JS.compile(text, settings.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    return {
      test: (subject) => pattern.test(subject),
      replaceAll: (subject, replacement) => pattern.matcher(subject).replaceAll(replacement),
    };
  } catch (error) {
    if (error instanceof RE2JSException) return undefined;
    throw error;
  }
}
