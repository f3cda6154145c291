/**
 * What a call whose reply was lost may have made is not made again without a question
 * (docs/rules/console.md#lost-replies).
 */
import { useRef } from 'react';
import { isUnreachable } from '../client/failures.ts';

const loadQuestion = () => import('./overwritten.tsx');

export function useRepeatQuestion() {
  const isUnsure = useRef(false);
  const question = useRef<Awaited<ReturnType<typeof loadQuestion>>>(undefined);
  const doubt = () => {
    isUnsure.current = true;
  };
  return {
    /** It may have been done: no reply came. */
    doubt,
    /** The reply of a later one came. */
    settle: () => {
      isUnsure.current = false;
    },
    /** Call it with each failure; returns what to say beside it. */
    note: (error: unknown): string | undefined => {
      if (!isUnreachable(error)) return undefined;
      doubt();
      return question.current?.lostText();
    },
    /** Resolves with false where the answer is not to do it again. */
    mayRepeat: async (): Promise<boolean> => {
      // With the first attempt: when it is needed, the server may be away.
      question.current ??= await loadQuestion().catch(() => undefined);
      return !isUnsure.current || ((await question.current?.askToRepeat()) ?? false);
    },
  };
}
