import { z } from '../kernel/zod.ts';
import { endpoint, nothing } from './endpoint.ts';

/**
 * The active run over the channels, or this process's last one. Times in Unix seconds; 0: never.
 */
const run = z.object({
  running: z.boolean(),
  total: z.number().int(),
  done: z.number().int(),
  failed: z.number().int(),
  started_at: z.number().int(),
  ended_at: z.number().int(),
});

export const channelRunsApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/turnpike/channel/runs',
    access: 'admin',
    input: nothing,
    output: z.object({ tests: run, balances: run }),
    summary: 'Progress of the tests and balance queries of all channels',
  }),
  stopTests: endpoint({
    method: 'POST',
    path: '/api/turnpike/channel/runs/tests/stop',
    access: 'admin',
    input: nothing,
    output: run,
    summary: 'End the active run of channel tests',
  }),
  stopBalances: endpoint({
    method: 'POST',
    path: '/api/turnpike/channel/runs/balances/stop',
    access: 'admin',
    input: nothing,
    output: run,
    summary: 'End the active run of balance queries',
  }),
};
