import type { OperationAdapter } from '../provider.ts';

/** Whether this upstream answers with a stream, whatever it is asked for. `model`: its own name of the model. */
export function streamsOnly({ streamOnly }: Pick<OperationAdapter<'chat'>, 'streamOnly'>, model: string): boolean {
  return typeof streamOnly === 'function' ? streamOnly(model) : streamOnly === true;
}
