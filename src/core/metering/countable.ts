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
  /** Some of the text is thinking. */
  readonly showsThinking?: boolean;
  /** Thinking that was not shown, estimated. */
  readonly hiddenTokens?: number;
}

export const noGeneratedText: GeneratedText = { text: '', toolCalls: 0 };

/** Tokens of the marks around a tool call (docs/rules/metering.md#answer-overheads). */
const callTokens = 7;

export function countableAnswer({ text, toolCalls, hiddenTokens = 0 }: GeneratedText): Countable {
  return { texts: [text], images: [], tokens: callTokens * toolCalls + hiddenTokens };
}
