import type { ContentReply, ContentRequest } from '../../files/content-reply.ts';

/** Copies of finished videos. */
export interface StoredVideos {
  /** When the copy of a task's result ends, in Unix seconds; undefined: there is none. */
  storedUntil(taskId: string): Promise<number | undefined>;
  /** Null: there is none. */
  open(taskId: string, request: ContentRequest): Promise<ContentReply | null>;
}
