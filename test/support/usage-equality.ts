/**
 * Imported for its effect: a usage whose expectation does not name `raw`, the vendor's own words, is
 * compared without it.
 */
import { expect } from 'vitest';
import { isObject } from '../../src/core/kernel/json.ts';

expect.addEqualityTesters([
  function withoutRaw(received, expected) {
    if (!isObject(received) || !isObject(expected)) return undefined;
    if (!Array.isArray(received['raw']) || 'raw' in expected) return undefined;
    const { raw: _, ...counts } = received;
    return this.equals(counts, expected, [withoutRaw]) || undefined;
  },
]);
