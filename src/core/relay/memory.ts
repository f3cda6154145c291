/**
 * How many bytes of bodies, fetched files and replies requests may hold at the same time
 * (docs/rules/relay.md#memory-budget). The process needs a multiple of them for a moment: while a
 * body is joined, read and written for an upstream.
 */
import type { Config } from '../config/schema.ts';
import { AppError } from '../kernel/errors.ts';
import { type BodySlab, SlabPool } from '../upstream/body-slabs.ts';

/** In bytes. */
export interface MemoryLimits {
  /** Bodies and files of all callers. */
  readonly bodies: number;
  /** Bodies and files of one user. */
  readonly userBodies: number;
  /** Replies of upstreams. */
  readonly replies: number;
}

/** What the requests of this process hold. */
export class MemoryBudget {
  readonly #limits: MemoryLimits;
  readonly #byUser = new Map<number, number>();
  readonly slabs = new SlabPool();
  #bodies = 0;
  #replies = 0;

  constructor(limits: MemoryLimits) {
    this.#limits = limits;
  }

  /** Bytes held right now; 0 when nothing is under way. */
  get held(): number {
    return this.#bodies + this.#replies;
  }

  /** Users who hold something. */
  get users(): number {
    return this.#byUser.size;
  }

  /** The share of one request. Its owner calls `release` in every ending. */
  open(userId: number): RequestMemory {
    return new RequestMemory(this, userId);
  }

  /** Null: done. Else the error that refuses it. */
  addBody(userId: number, bytes: number): AppError | null {
    const own = (this.#byUser.get(userId) ?? 0) + bytes;
    if (own > this.#limits.userBodies)
      return new AppError('too_much_in_flight', {
        limit: megabytes(this.#limits.userBodies),
        retryAfter: 1,
      });
    if (this.#bodies + bytes > this.#limits.bodies) return serverBusy();
    this.#bodies += bytes;
    this.#byUser.set(userId, own);
    return null;
  }

  removeBody(userId: number, bytes: number): void {
    this.#bodies -= bytes;
    const own = (this.#byUser.get(userId) ?? 0) - bytes;
    if (own > 0) this.#byUser.set(userId, own);
    else this.#byUser.delete(userId);
  }

  /** Adds bytes of replies, or gives them back if negative. False: there is no room. */
  changeReplies(bytes: number): boolean {
    if (bytes > 0 && this.#replies + bytes > this.#limits.replies) return false;
    this.#replies += bytes;
    return true;
  }
}

/** Seconds after which a refused caller may try again. */
const busyWait = 2;

function serverBusy(): AppError {
  return new AppError('server_busy', { retryAfter: busyWait });
}

function megabytes(bytes: number): number {
  return Math.floor(bytes / 1024 / 1024);
}

/** Bytes by which what is held must change to be counted: most events are far smaller. */
const followStep = 64 * 1024;

/** What one request, or one connection, holds. */
export class RequestMemory {
  readonly #budget: MemoryBudget;
  readonly #userId: number;
  #body = 0;
  #reply = 0;
  /** Bytes of the reply when it was last counted. */
  #followed = 0;
  #released = false;
  #slabs: BodySlab[] | null = null;

  constructor(budget: MemoryBudget, userId: number) {
    this.#budget = budget;
    this.#userId = userId;
  }

  /** Adds bytes of a body or a fetched file. Throws AppError too_much_in_flight, server_busy. */
  takeBody(bytes: number): void {
    const refusal = this.#addBody(bytes);
    if (refusal !== null) throw refusal;
  }

  /** Adds bytes where there is room for them. */
  tryTakeBody(bytes: number): boolean {
    return this.#addBody(bytes) === null;
  }

  #addBody(bytes: number): AppError | null {
    // What is read after the end belongs to nobody.
    if (this.#released) return null;
    const refusal = this.#budget.addBody(this.#userId, bytes);
    if (refusal === null) this.#body += bytes;
    return refusal;
  }

  /**
   * Memory for a body, to be overwritten wholly and not to be read after `release`. It is not
   * counted: what is copied into it is.
   */
  lend(bytes: number): Buffer {
    const slab = this.#released ? undefined : this.#budget.slabs.take(bytes);
    if (slab === undefined) return Buffer.allocUnsafe(bytes);
    this.#slabs ??= [];
    this.#slabs.push(slab);
    return slab.first(bytes);
  }

  giveBody(bytes: number): void {
    const given = Math.min(bytes, this.#body);
    if (given === 0) return;
    this.#body -= given;
    this.#budget.removeBody(this.#userId, given);
  }

  /** Adds bytes of a reply. Throws AppError server_busy. */
  takeReply(bytes: number): void {
    this.holdReply(this.#reply + bytes);
  }

  /** Sets the bytes of a reply that are held. Throws AppError server_busy. */
  holdReply(bytes: number): void {
    if (this.#released) return;
    if (!this.#budget.changeReplies(bytes - this.#reply)) throw serverBusy();
    this.#reply = bytes;
  }

  /** The same, with each event. Throws AppError server_busy. */
  followReply(bytes: number): void {
    if (Math.abs(bytes - this.#followed) < followStep) return;
    this.holdReply(bytes);
    this.#followed = bytes;
  }

  /** An attempt has ended. */
  releaseReply(): void {
    this.#followed = 0;
    this.holdReply(0);
  }

  /** Gives everything back; safe to call twice. */
  release(): void {
    this.giveBody(this.#body);
    this.releaseReply();
    this.#released = true;
    for (const slab of this.#slabs ?? []) this.#budget.slabs.give(slab);
    this.#slabs = null;
  }
}

const megabyte = 1024 * 1024;

/** A budget below the largest body, or the largest reply, would refuse each of them. */
export function memoryLimits(config: Config): MemoryLimits {
  const { maxRequestBodyMb: body, maxReplyMb: reply } = config;
  const userBodies = Math.max(config.maxUserBodyMemoryMb, body);
  return {
    bodies: Math.max(config.maxBodyMemoryMb, body) * megabyte,
    userBodies: userBodies * megabyte,
    replies: Math.max(config.maxReplyMemoryMb, reply) * megabyte,
  };
}
