// Covers src/core/canonical/wires/openai.
/**
 * Five caller formats, four upstream formats: each caller's SDK reads the reply of every upstream.
 */
import Anthropic from '@anthropic-ai/sdk';
import { ApiError } from '@google/genai';
import { CohereError } from 'cohere-ai';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { createConversionBench } from './bench.ts';
import { clientFormats } from './client-formats.ts';
import { cohere } from './cohere-client.ts';
import { scenarios, tokens } from './scenarios.ts';
import { upstreamFormats } from './upstream-formats.ts';

const bench = createConversionBench();

function statusOf(error: unknown): number | undefined {
  if (
    error instanceof OpenAI.APIError ||
    error instanceof Anthropic.APIError ||
    error instanceof ApiError
  )
    return error.status as number | undefined;
  if (error instanceof CohereError) return error.statusCode;
  throw error;
}

for (const caller of [...clientFormats, cohere]) {
  for (const provider of upstreamFormats) {
    describe(`${caller.name} → ${provider.name}`, () => {
      for (const scenario of scenarios) {
        for (const stream of [false, true]) {
          it(`${scenario.name}, ${stream ? 'streamed' : 'plain'}`, async () => {
            const upstream = bench.upstream(provider.name);
            upstream.requests.length = 0;
            upstream.answer(provider.answer(scenario));
            const asking = caller.ask(
              { url: bench.gateway.url, key: bench.key },
              provider.model,
              scenario,
              stream,
            );
            if (scenario.error !== undefined) {
              const error = await asking.then(
                () => undefined,
                (reason: unknown) => reason,
              );
              expect(statusOf(error)).toBe(scenario.error.status);
              expect(String(error)).toContain(scenario.error.message);
              return;
            }
            const got = await asking;
            const [request] = upstream.requests;
            if (request === undefined) throw new Error('the upstream was not asked');
            provider.asked(request, scenario);
            expect(got).toEqual({
              text: scenario.text ?? '',
              reasoning: scenario.reasoning ?? '',
              calls: (scenario.calls ?? []).map(({ name, args }) => ({ name, args })),
              finish: scenario.calls === undefined ? 'stop' : 'tool_calls',
              usage: tokens,
            });
          });
        }
      }
    });
  }
}
