import type { JsonValue } from '../../kernel/json.ts';
import { type Change, changeAt, type Path, valuesAt } from './json-path.ts';
import { factsAsJson, type RequestFacts } from './request-facts.ts';

/** The request while the operations of `param_override` are applied to it, one after the other. */
export class OverrideState {
  readonly facts: RequestFacts;
  body: JsonValue;
  /** Changed headers by lower-case name; null: the header is removed. */
  readonly headers: Map<string, string | null>;
  /** The headers of the request before the operations. */
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

  /** The first value at a path of the body. */
  valueAt(path: Path): JsonValue | undefined {
    return valuesAt(this.body, path)[0];
  }

  /** The values at a path for conditions: of the body, or else of the facts. */
  valuesFor(path: Path): readonly JsonValue[] {
    const inBody = valuesAt(this.body, path);
    return inBody.length > 0
      ? inBody
      : valuesAt(factsAsJson(this.facts, Object.fromEntries(this.headers)), path);
  }

  /**
   * The current value of a header: as changed by an operation, else of the request, else of the
   * caller.
   */
  header(name: string): string | undefined {
    const set = this.headers.get(name);
    if (set !== undefined) return set ?? undefined;
    return this.#sent[name] ?? this.facts.callerHeaders[name];
  }
}

/** One parsed operation. It does nothing if its field is absent or of another type. */
export type OverrideStep = (state: OverrideState) => void;
