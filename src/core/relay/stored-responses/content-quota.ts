/** How many bytes of contents each user has stored (docs/rules/responses.md#stored). */
import type { StoredResponseRepository } from '../../storage/storage.ts';

export class ContentQuota {
  readonly #repository: Pick<StoredResponseRepository, 'sizeOf'>;
  readonly #most: () => number;
  /**
   * Bytes by user, read once and counted on. Several processes may together store a little more.
   */
  #sizes = new Map<number, number>();

  constructor(repository: Pick<StoredResponseRepository, 'sizeOf'>, most: () => number) {
    this.#repository = repository;
    this.#most = most;
  }

  /** Whether the user may store this many bytes more; then they are counted. */
  async take(userId: number, bytes: number): Promise<boolean> {
    const most = this.#most();
    if (most === 0) return true;
    const size = this.#sizes.get(userId) ?? (await this.#repository.sizeOf(userId));
    const fits = size + bytes <= most;
    this.#sizes.set(userId, fits ? size + bytes : size);
    return fits;
  }

  /** Something was deleted: sizes are read again. */
  forget(): void {
    this.#sizes = new Map();
  }
}
