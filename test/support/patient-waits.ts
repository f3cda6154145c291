/**
 * Waits end when what they wait for is there. Vitest's own limit of a second is for what hangs, and
 * too short for a busy machine.
 */
import { vi } from 'vitest';
import { patience } from './slow.ts';

const limit = 60_000 * patience;

const { waitFor, waitUntil } = vi;
vi.waitFor = (look, options) =>
  waitFor(look, typeof options === 'number' ? options : { timeout: limit, ...options });
vi.waitUntil = (look, options) =>
  waitUntil(look, typeof options === 'number' ? options : { timeout: limit, ...options });
