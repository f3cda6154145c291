import type { OperationAdapter } from '../provider.ts';

/** Whether this upstream always replies with a stream. `model`: its own name of the model. */
export function streamsOnly(
  { streamOnly }: Pick<OperationAdapter<'chat'>, 'streamOnly'>,
  model: string,
): boolean {
  return typeof streamOnly === 'function' ? streamOnly(model) : streamOnly === true;
}
