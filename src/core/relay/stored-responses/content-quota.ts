/** How many bytes of contents each user has stored (docs/rules/responses.md#stored). */
import type { StoredResponseRepository } from '../../storage/storage.ts';

export class ContentQuota {
  readonly #repository: Pick<StoredResponseRepository, 'sizeOf'>;
  readonly #most: () => number;
  /**
   * Bytes by user, read once and counted on. Several processes may together store a little more.
   */
  #sizes = new Map<number, Promise<{ bytes: number }>>();

  constructor(repository: Pick<StoredResponseRepository, 'sizeOf'>, most: () => number) {
    this.#repository = repository;
    this.#most = most;
  }

  /** Whether the user may store this many bytes more; then they are counted. */
  async take(userId: number, bytes: number): Promise<boolean> {
    const most = this.#most();
    if (most === 0) return true;
    const size = await this.#sizeOf(userId);
    const fits = size.bytes + bytes <= most;
    if (fits) size.bytes += bytes;
    return fits;
  }

  /** One count for all that ask at the same time. */
  #sizeOf(userId: number): Promise<{ bytes: number }> {
    const known = this.#sizes.get(userId);
    if (known !== undefined) return known;
    const read = this.#repository.sizeOf(userId).then((bytes) => ({ bytes }));
    this.#sizes.set(userId, read);
    read.catch(() => this.#sizes.delete(userId));
    return read;
  }

  /** Something was deleted, or not stored after all: sizes are read again. */
  forget(): void {
    this.#sizes = new Map();
  }
}
