/**
 * Source of random values for the core. The real one is cryptographic; tests pass a predictable
 * one.
 */
export interface Ids {
  uuid(): string;
  /** `length` letters and digits, uniformly distributed. */
  alphanumeric(length: number): string;
  /** `bytes` random bytes as lower-case hex. */
  hex(bytes: number): string;
  /** `bytes` random bytes, base64url without padding. */
  base64url(bytes: number): string;
  /** A number in [0, 1), used to pick a channel by weight. */
  chance(): number;
}
