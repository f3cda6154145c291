/**
 * Models of other makers on Vertex, by chat completions (docs/rules/providers.md#vertex-addresses).
 */

import type { PassThrough } from '../../canonical/pass-through.ts';
import type { OperationAdapter } from '../../canonical/provider.ts';
import { openaiCompatible } from '../openai-compatible/index.ts';
import { openApiAddress, projectHeaders, withRegion } from './address.ts';
import { refuseApiKey } from './key.ts';
import { makerOf } from './models.ts';
import type { VertexSettings } from './settings.ts';

const compatible = openaiCompatible({
  slug: 'vertex',
  channelTypes: [41],
  defaultBaseUrl: '',
  models: [],
  without: ['completion', 'embedding', 'models'],
  address: (_task, call) => openApiAddress(call),
  headers: (call) => projectHeaders(call),
  developerRole: false,
});

/** Takes calls that are placed. */
export const openApiChat = compatible.operations.chat as OperationAdapter<'chat', VertexSettings>;

export const openApiPassThrough: PassThrough<VertexSettings> = {
  format: 'openai-chat',
  target(fields, call) {
    if (makerOf(call.model) !== 'openapi') return undefined;
    refuseApiKey(call, call.model);
    const requested = fields.get('model');
    const entry = openApiChat.passThrough?.find(({ format }) => format === 'openai-chat');
    return entry?.target(
      fields,
      withRegion(call, typeof requested === 'string' ? requested : undefined),
    );
  },
};
