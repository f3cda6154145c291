/**
 * Arguments of a call that Vertex streams piece by piece: each piece names its place (`$.a[0].b`),
 * texts may come in several pieces (docs/rules/providers.md#gemini-replies).
 */

import { type Loose, recordsOf, textOf } from '../../canonical/kit/read-json.ts';
import type { JsonValue } from '../../kernel/json.ts';

/**
 * Places of lists that may be skipped in all the arguments: lists are as long as their last place.
 */
const maxSkipped = 10_000;

type Container = Record<string, unknown> | unknown[];

/** `$.a[0].b` → `['a', 0, 'b']`; quoted names in brackets too. */
function readPath(path: string): (string | number)[] {
  const steps = path.match(/[^.[\]$]+|\[\d+\]|\['[^']*'\]/g) ?? [];
  return steps.map((step) => {
    const inner = step.startsWith('[') ? step.slice(1, -1) : step;
    return /^\d+$/.test(inner) && inner !== step ? Number(inner) : inner.replace(/^'|'$/g, '');
  });
}

function readValue(piece: Loose): JsonValue | undefined {
  if (typeof piece.stringValue === 'string') return piece.stringValue;
  if (typeof piece.numberValue === 'number') return piece.numberValue;
  if (typeof piece.boolValue === 'boolean') return piece.boolValue;
  return 'nullValue' in piece ? null : undefined;
}

function child(container: Container, step: string | number): unknown {
  return (container as Record<string | number, unknown>)[step];
}

export class PartialArguments {
  readonly #root: Record<string, unknown> = {};
  #skipped = 0;

  add(pieces: unknown): void {
    for (const piece of recordsOf(pieces)) {
      const value = readValue(piece);
      const steps = readPath(textOf(piece.jsonPath) ?? '');
      if (value !== undefined && steps.length > 0 && !steps.includes('__proto__'))
        this.#set(steps, value);
    }
  }

  get text(): string {
    return JSON.stringify(this.#root);
  }

  /** Whether a place is near enough to what is there; what lies between is paid for once. */
  #reaches(container: Container, step: string | number): boolean {
    if (!Array.isArray(container) || typeof step !== 'number' || step <= container.length)
      return true;
    const skipped = this.#skipped + step - container.length;
    if (skipped > maxSkipped) return false;
    this.#skipped = skipped;
    return true;
  }

  #set(steps: readonly (string | number)[], value: JsonValue): void {
    let container: Container = this.#root;
    for (const [position, step] of steps.slice(0, -1).entries()) {
      if (!this.#reaches(container, step)) return;
      let next = child(container, step);
      if (typeof next !== 'object' || next === null) {
        next = typeof steps[position + 1] === 'number' ? [] : {};
        (container as Record<string | number, unknown>)[step] = next;
      }
      container = next as Container;
    }
    const last = steps.at(-1) ?? '';
    if (!this.#reaches(container, last)) return;
    const before = child(container, last);
    const joined = typeof before === 'string' && typeof value === 'string' ? before + value : value;
    (container as Record<string | number, unknown>)[last] = joined;
  }
}
