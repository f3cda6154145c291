/** What the entries of the tables in docs/conversions.md are. */

/** `in words`: expressed as text in the instructions. */
export type Fate = 'kept' | 'in words' | 'dropped' | 'refused';
/** Upstream formats, with the outcome of the conversion to each. */
export type UpstreamName = 'chat' | 'messages' | 'Gemini' | 'Responses';
export type Caller = 'chat' | 'completions' | 'messages' | 'Gemini' | 'Responses';

export interface Asked {
  readonly caller: Caller;
  /** The requested feature, as the caller's format names it; Markdown. */
  readonly feature: string;
  /** Fields of the request besides model and question. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly reason: string;
}

/** A request feature that some formats do not support. */
export interface Limit extends Asked {
  /** Text that the upstream's request holds where the feature is kept. */
  readonly mark: Readonly<Record<UpstreamName, string>> | string;
  readonly fate: Readonly<Record<UpstreamName, Fate>>;
}

/** Request features that some models or providers reject, in any format. */
export interface ModelLimit extends Asked {
  /** Whom the entry is about; Markdown. */
  readonly of: string;
  /** A channel that reaches them. */
  readonly channel: { readonly type: number; readonly key?: string; readonly setting?: string };
  /** Some of them. */
  readonly models: readonly string[];
  readonly mark: string;
  readonly fate: Fate;
}
