import type { Phase } from '../../chat.ts';
import type { Loose } from '../../kit/read-json.ts';

/** What a message item says that it is; undefined: nothing. */
export function phaseOf({ phase }: Loose): Phase | undefined {
  return phase === 'commentary' || phase === 'final_answer' ? phase : undefined;
}
