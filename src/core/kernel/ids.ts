/** Chance as the core sees it; tests hand in a predictable one. All generators of the system are cryptographic. */
export interface Ids {
  uuid(): string;
  /** `length` letters and digits, equally likely. */
  alphanumeric(length: number): string;
  /** `bytes` random bytes as lower-case hex. */
  hex(bytes: number): string;
  /** `bytes` random bytes, base64url without padding. */
  base64url(bytes: number): string;
  /** A number in [0, 1): which channel is drawn. */
  chance(): number;
}
