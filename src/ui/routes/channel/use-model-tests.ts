import type { ChannelEntity } from '../../../core/contract/entities.ts';
import type { EndpointType } from '../../../core/vocabulary/endpoint-types.ts';
import { client } from '../../client/api.ts';
import { type TestOutcome, useTestRun } from './use-test-run.ts';

export type ModelResult = TestOutcome;

interface TestOptions {
  /** Empty: what suits the model. */
  readonly endpoint_type: EndpointType | '';
  readonly stream: boolean;
}

/** Tests of one channel's models. */
export function useModelTests({ id }: Pick<ChannelEntity, 'id'>) {
  return useTestRun((model, options: TestOptions) =>
    client.channel.test({ id, model, ...options }),
  );
}
