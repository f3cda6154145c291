/**
 * What the relay must know of a format whose bytes it passes through unchanged: where a stream's
 * end begins (it waits for the settlement), what usage the stream reports, and how to end one whose
 * upstream did not.
 */

import type { ProviderError } from '../../../canonical/chat-reply.ts';
import type { BodyFields } from '../../../canonical/pass-through.ts';
import type { Usage } from '../../../canonical/usage.ts';
import type { GeneratedText } from '../../../metering/countable.ts';
import type { RequestBody } from '../../body/request-body.ts';
import type { WireError } from '../families/api-family.ts';

export interface StreamEnd {
  /** The client wants a usage chunk at the end. */
  readonly includeUsage: boolean;
  readonly usage: Usage | undefined;
  /** The first whole events, as they came. */
  readonly first: Buffer;
  /**
   * What was sent so far, from the first events up to the cap of what is kept, and the newest
   * events.
   */
  readonly sent: () => Buffer;
}

/** What the end of a stream that broke is written from. */
export interface BrokenEnd extends StreamEnd {
  readonly error: WireError;
  /**
   * A value with every text in it masked: an error of the upstream may be kept in its own words.
   */
  readonly mask: (value: unknown) => unknown;
}

export interface ForwardFormat {
  /** Whole events without what clients of the format cannot read. Absent: they read all of SSE. */
  tidy?(events: Buffer): Buffer;
  /**
   * Offset of the event with which the end of the stream begins, an error or the finish, or −1.
   * `events` are whole events, a character for each byte (latin1): searching a short string is
   * cheaper than searching bytes again and again.
   */
  terminalAt(events: string): number;
  /** The error that these events report; `read` reads the provider's own error object. */
  errorIn(events: Buffer, read: (raw: unknown) => ProviderError): ProviderError | undefined;
  /**
   * The usage the stream reports, from its first events and its end; `newest`: the last of the sent
   * events that {@link mayReportUsage}.
   */
  streamUsage(first: Buffer, held: Buffer, newest: Buffer): Usage | undefined;
  /**
   * Whether usage may be in some sent events, besides an answer. `events` as latin1 text. Absent:
   * never.
   */
  mayReportUsage?(events: string): boolean;
  /**
   * What sent events say of the vendor's tools; `latin1`: the same as text. Absent: only the end
   * says it.
   */
  sentCalls?(events: Buffer, latin1: string): Usage | undefined;
  /** Usage of a whole JSON reply; `usage` is its member {@link usageField}. */
  replyUsage(usage: unknown, reply?: BodyFields): Usage | undefined;
  readonly usageField: string;
  /** Images in a whole JSON reply. */
  images?(reply: BodyFields): number | undefined;
  /** Whole images in some events of a stream. */
  streamImages?(events: Buffer): number;
  /** Images a request asks for, each of which ends with an event of its own. Absent: none. */
  imagesOrdered?(body: RequestBody): number;
  /** Answers that a request asks for, each of which finishes by itself. Absent: one. */
  choicesOrdered?(body: RequestBody): number;
  /** Positions of the answers that finish in these events. */
  finishedChoices?(events: Buffer): readonly number[];
  /**
   * The member that every whole JSON reply with an answer has. One without it is a failure. Absent:
   * there is none.
   */
  readonly answerField?: string;
  /** What that member is. Absent: an array of objects. */
  readonly answerKind?: 'array' | 'object';
  /** Whether an empty array there is no answer either. Absent: it is one. */
  readonly needsItems?: true;
  /** The member that replies without an answer have in its place. */
  readonly refusalField?: string;
  /** Whether an object may be an event of the format. Absent: any may. */
  isEvent?(value: Record<string, unknown>): boolean;
  /**
   * How replies that are no JSON are sent on: `text` whole, `bytes` (audio) as they come. Absent:
   * there are none.
   */
  readonly plain?: 'text' | 'bytes';
  /**
   * Whether an event before the first word holds nothing of an answer yet: an error may still
   * follow, and another channel serve (docs/rules/streams.md#reply-begins). Absent: none does.
   */
  isGreeting?(event: Record<string, unknown>): boolean;
  /** Whether one of these events of the end says how the answer finished. */
  isFinished(events: Buffer): boolean;
  /**
   * Whether the very last event is among these of the end. Absent: the format has none. `events` as
   * latin1 text.
   */
  isLast?(events: string): boolean;
  /**
   * Events that looked like the end although more of the answer follows, without those that clients
   * expect at the end only. Absent: there are none such.
   */
  early?(held: Buffer): Buffer;
  /**
   * The end for the client: what was held, without what it did not ask for, completed where the
   * upstream left something out.
   */
  end(held: Buffer, end: StreamEnd): Buffer;
  /**
   * The end of a stream that broke: what was held, without finish, terminator and reported errors,
   * then the format's own error.
   */
  breakOff(held: Buffer, end: BrokenEnd): Buffer;
  /**
   * Whether nothing that matters follows these events after an error. Absent: nothing does.
   * `events` as latin1 text.
   */
  isLastAfterError?(events: string): boolean;
  /** The text in the events, counted where no usage was reported. */
  generated(events: Buffer): GeneratedText;
}
