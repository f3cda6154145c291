/** Posts orders of videos; the newest failure stays until the next one. */
import { useState } from 'react';
import { isObject } from '../../../../core/kernel/json.ts';
import { useRepeatQuestion } from '../../../form/use-repeat-question.ts';
import type { MessageError } from '../chat/message.ts';
import { PlaygroundError, postAsUser } from '../post.ts';
import { bodyOf, type VideoOrder } from './video-order.ts';

interface SubmitEnds {
  readonly onAccepted: (id: string) => void;
  /** No reply came: it may have been accepted, and is charged then. */
  readonly onLost: () => void;
}

const lost: MessageError = { status: 0, code: 'stream_broken', type: '', text: '' };

/** Also of a proxy that waited no longer. */
const isLost = ({ status, code }: MessageError) => status === 0 || (status >= 502 && code === '');

async function post(order: VideoOrder): Promise<string> {
  const response = await postAsUser(
    '/pg/videos/generations',
    bodyOf(order),
    new AbortController().signal,
  );
  const reply: unknown = await response.json();
  const data = isObject(reply) ? reply['data'] : undefined;
  const id = isObject(data) ? data['task_id'] : undefined;
  if (typeof id !== 'string') throw new PlaygroundError(lost);
  return id;
}

export function useSubmit({ onAccepted, onLost }: SubmitEnds) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<{
    readonly order: VideoOrder;
    readonly error: MessageError;
  }>();
  const repeat = useRepeatQuestion();
  const submit = async (order: VideoOrder) => {
    setBusy(true);
    try {
      if (!(await repeat.mayRepeat())) return;
      setFailure(undefined);
      onAccepted(await post(order));
      repeat.settle();
    } catch (cause) {
      const error = cause instanceof PlaygroundError ? cause.details : lost;
      setFailure({ order, error });
      if (!isLost(error)) return;
      repeat.doubt();
      onLost();
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, failure, submit };
}
