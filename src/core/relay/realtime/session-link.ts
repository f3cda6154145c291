import type { WebSocket } from 'ws';
import type { LogOther } from '../../contract/log-other.ts';
import type { AppError } from '../../kernel/errors.ts';
import type { Attempt, AttemptResult } from '../attempt.ts';
import type { FramePipe } from '../sockets/frame-pipe.ts';

/** The upstream of one attempt. */
export interface Link {
  readonly attempt: Attempt;
  readonly socket: WebSocket;
  readonly pipe: FramePipe;
  /** Ends the attempt. */
  readonly resolve: (result: AttemptResult) => void;
}

export interface Ending {
  readonly code: number;
  readonly reason?: string;
  readonly ended?: LogOther['ended'];
  /** Sent to the client before the connection closes. */
  readonly error?: AppError;
}
