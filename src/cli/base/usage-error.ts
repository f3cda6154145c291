import type { Text, TextParams } from './text.ts';

/** The command line itself is wrong: exit code 2, and the words say what to type instead. */
export class UsageError extends Error {
  readonly text: Text;
  readonly params: TextParams;

  constructor(text: Text, params: TextParams = {}) {
    super(text.en);
    this.name = 'UsageError';
    this.text = text;
    this.params = params;
  }
}
