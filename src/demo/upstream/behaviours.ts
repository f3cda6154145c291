/**
 * How a channel's upstream behaves. The first segment of a channel's base URL names the behaviour,
 * so that one scripted server stands in for good, slow and failing vendors:
 * `http://127.0.0.1:4010/busy`.
 */
import type { Random } from '../random.ts';

export interface Failure {
  readonly status: number;
  readonly message: string;
  /** `type` and `code` of OpenAI's error object. */
  readonly type: string;
  readonly code: string;
  /** Seconds for the header `Retry-After`. */
  readonly retryAfter?: number;
}

export interface Behaviour {
  /** Shortest and longest time until the first byte, in ms. */
  readonly firstByteMs: readonly [number, number];
  readonly msPerWord: number;
  /** What goes wrong, each with its probability. */
  readonly failures: readonly (readonly [Failure, probability: number])[];
  /** Probability that a stream breaks off in the middle. */
  readonly cutStreams: number;
}

const rateLimited: Failure = {
  status: 429,
  message: 'Rate limit reached for requests per minute. Please try again in 8s.',
  type: 'rate_limit_error',
  code: 'rate_limit_exceeded',
  retryAfter: 8,
};
const broken: Failure = {
  status: 500,
  message: 'The server had an error while processing your request. Sorry about that!',
  type: 'server_error',
  code: 'internal_error',
};
const overloaded: Failure = {
  status: 503,
  message: 'The engine is currently overloaded, please try again later.',
  type: 'server_error',
  code: 'overloaded',
};
const refused: Failure = {
  status: 401,
  message: 'Incorrect API key provided. You can find your API key in the settings of your account.',
  type: 'invalid_request_error',
  code: 'invalid_api_key',
};

export const behaviours = {
  steady: { firstByteMs: [250, 900], msPerWord: 18, failures: [[broken, 0.004]], cutStreams: 0 },
  quick: { firstByteMs: [90, 320], msPerWord: 8, failures: [[broken, 0.002]], cutStreams: 0 },
  slow: {
    firstByteMs: [1800, 7500],
    msPerWord: 45,
    failures: [[overloaded, 0.03]],
    cutStreams: 0.005,
  },
  busy: { firstByteMs: [400, 1600], msPerWord: 22, failures: [[rateLimited, 0.1]], cutStreams: 0 },
  shaky: {
    firstByteMs: [500, 2400],
    msPerWord: 30,
    failures: [
      [broken, 0.12],
      [overloaded, 0.05],
    ],
    cutStreams: 0.04,
  },
  refused: { firstByteMs: [60, 140], msPerWord: 1, failures: [[refused, 1]], cutStreams: 0 },
} as const satisfies Readonly<Record<string, Behaviour>>;

export type BehaviourName = keyof typeof behaviours;

/**
 * Splits `/busy/v1/models` into its behaviour and the vendor's own path; an unknown first segment
 * is `steady`.
 */
export function behaviourOf(path: string): { behaviour: Behaviour; path: string } {
  const [, first = '', remainder = ''] = /^\/([^/]+)(\/.*)?$/.exec(path) ?? [];
  const behaviour = Object.entries<Behaviour>(behaviours).find(([name]) => name === first)?.[1];
  return behaviour === undefined
    ? { behaviour: behaviours.steady, path }
    : { behaviour, path: remainder };
}

/** What goes wrong with this request; undefined: nothing. */
export function drawFailure({ failures }: Behaviour, random: Random): Failure | undefined {
  return failures.find(([, probability]) => random.chance(probability))?.[0];
}
