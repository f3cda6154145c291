/** What is to be counted, independent of how it is counted. */

/** An image whose bytes the caller sent. */
export interface Image {
  /** The front of its base64: enough to find its size, never the whole. */
  readonly head: string;
  readonly detail?: string;
}

export interface Countable {
  readonly texts: readonly string[];
  readonly images: readonly Image[];
  /** Tokens that need no counting: marks around messages, audio, files. */
  readonly tokens: number;
  /** Names of the functions that an answer calls, one for each call. Absent: not known. */
  readonly called?: readonly string[] | undefined;
}

export const nothingToCount: Countable = { texts: [], images: [], tokens: 0 };

export function countableText(text: string): Countable {
  return { ...nothingToCount, texts: [text] };
}

/** The text of an answer. */
export interface GeneratedText {
  /** Text, thinking, names and arguments of tool calls. */
  readonly text: string;
  /** The largest number of tool calls made side by side. */
  readonly toolCalls: number;
  /** Names of the functions of chats that are called, one for each call. */
  readonly called?: readonly string[];
  /** Some of the text is thinking. */
  readonly showsThinking?: boolean;
  /** Thinking that was not shown, estimated. */
  readonly hiddenTokens?: number;
}

export const noGeneratedText: GeneratedText = { text: '', toolCalls: 0 };

/** Tokens of the marks around a tool call (docs/rules/metering.md#answer-overheads). */
const callTokens = 7;

export function countableAnswer(answer: GeneratedText): Countable {
  const { text, toolCalls, hiddenTokens = 0, called } = answer;
  return { texts: [text], images: [], tokens: callTokens * toolCalls + hiddenTokens, called };
}
