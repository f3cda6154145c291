import type { Text, TextParams } from './text.ts';

/** The command line is invalid: exit code 2. The message says how to correct it. */
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
