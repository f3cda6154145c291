import type { JsonObject } from '../../kernel/json.ts';
import type { ProviderError } from '../chat-reply.ts';
import type { DrawingResult } from '../task-provider.ts';
import { ReplyFailure } from './failure.ts';

/** The upstream refused a task with a reply of its own, which callers who speak its wire get. */
export class TaskRefusal extends ReplyFailure {
  readonly reply: JsonObject;
  /** What the row of a drawing keeps of it. */
  readonly drawing: DrawingResult;

  constructor(error: ProviderError, reply: JsonObject, drawing: DrawingResult = {}) {
    super(error);
    this.name = 'TaskRefusal';
    this.reply = reply;
    this.drawing = drawing;
  }
}
