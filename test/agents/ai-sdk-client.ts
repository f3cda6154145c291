/**
 * A client of Vercel's AI SDK with one tool, as its documentation has it: OpenAI's default model, which sends earlier items by
 * reference. Prints the final text and the tokens of all steps as JSON. Arguments: address, key, model, prompt.
 */
import { readFileSync } from 'node:fs';
import { createOpenAI } from '@ai-sdk/openai';
import { stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';

const [url = '', apiKey = '', model = '', prompt = ''] = process.argv.slice(2);
const openai = createOpenAI({ apiKey, baseURL: `${url}/v1` });
const result = streamText({
  model: openai(model),
  system: 'You read files for the user.',
  prompt,
  maxRetries: 0,
  stopWhen: stepCountIs(8),
  tools: {
    read_file: tool({
      description: 'Reads a file of the current directory',
      inputSchema: z.object({ file: z.string() }),
      execute: ({ file }) => readFileSync(file, 'utf8'),
    }),
  },
});
const text = await result.text;
const { inputTokens, outputTokens, inputTokenDetails } = await result.totalUsage;
process.stdout.write(JSON.stringify({ text, inputTokens, outputTokens, cachedTokens: inputTokenDetails.cacheReadTokens }));
