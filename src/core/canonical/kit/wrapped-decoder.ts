import type { StreamDecoder } from '../pass-through.ts';

/**
 * A decoder that is given other events, or whose parts are changed; all else it says is the same.
 */
export function wrapDecoder(
  decoder: StreamDecoder,
  { push, end }: Pick<StreamDecoder, 'push' | 'end'>,
): StreamDecoder {
  return {
    push,
    end,
    get done() {
      return decoder.done;
    },
    get ended() {
      return decoder.ended;
    },
    callsInTurn: decoder.callsInTurn,
    continuation: () => decoder.continuation?.(),
  };
}
