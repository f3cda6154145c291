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

/** An edit without a field. */
export function nothingToChange(): UsageError {
  return new UsageError({
    en: 'Nothing to change: use at least one flag',
    zh: '没有要修改的内容：请至少使用一个选项',
  });
}
