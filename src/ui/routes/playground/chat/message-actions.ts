/** What can be done with a message. */
import type { ChatMessage } from './message.ts';

export interface MessageActions {
  readonly onRegenerate: (id: string) => void;
  readonly onResend: (id: string, text: string) => void;
  /** Shows another version of an answer; from 1. */
  readonly onVersion: (id: string, place: number) => void;
  readonly onRemove: (id: string) => void;
  readonly onChoose: () => void;
  /**
   * What an answer of so many tokens costs about, in quota; undefined: its model has no price here.
   */
  readonly estimate: (message: ChatMessage, output: number) => number | undefined;
}
