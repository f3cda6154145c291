import type { JsonValue } from '../../kernel/json.ts';
import { type Change, changeAt, type Path, valuesAt } from './json-path.ts';
import { factsAsJson, type RequestFacts } from './request-facts.ts';

/** The request while the operations of `param_override` work on it, one after the other. */
export class OverrideState {
  readonly facts: RequestFacts;
  body: JsonValue;
  /** What becomes of headers, by lower-case name; null: the request goes without it. */
  readonly headers: Map<string, string | null>;
  /** The headers the request has so far. */
  readonly #sent: Readonly<Record<string, string>>;

  constructor(
    facts: RequestFacts,
    body: JsonValue,
    headers: ReadonlyMap<string, string>,
    sent: Readonly<Record<string, string>>,
  ) {
    this.facts = facts;
    this.body = body;
    this.headers = new Map(headers);
    this.#sent = sent;
  }

  change(path: Path, change: Change, create = false): void {
    this.body = changeAt(this.body, path, change, create);
  }

  /** The value of a place in the body, the first of several. */
  valueAt(path: Path): JsonValue | undefined {
    return valuesAt(this.body, path)[0];
  }

  /** Conditions look into the body first, then at the facts. */
  look(path: Path): readonly JsonValue[] {
    const inBody = valuesAt(this.body, path);
    return inBody.length > 0 ? inBody : valuesAt(factsAsJson(this.facts, Object.fromEntries(this.headers)), path);
  }

  /** A header as it stands: what an operation made of it, else what the request has, else what the caller sent. */
  header(name: string): string | undefined {
    const set = this.headers.get(name);
    if (set !== undefined) return set ?? undefined;
    return this.#sent[name] ?? this.facts.callerHeaders[name];
  }
}

/** One operation, read and checked. An operation whose field is absent or of another kind does nothing. */
export type OverrideStep = (state: OverrideState) => void;
