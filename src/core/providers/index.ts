/** The registry: one line per vendor. */
import { anthropic } from './anthropic/index.ts';
import { custom } from './custom/index.ts';
import { deepseek } from './deepseek/index.ts';
import { gemini } from './gemini/index.ts';
import { openai } from './openai/index.ts';
import type { Provider } from './provider.ts';

export const providers: readonly Provider[] = [openai, anthropic, gemini, deepseek, custom];

const byType = new Map<number, Provider>(providers.flatMap((one) => one.channelTypes.map((type) => [type, one] as const)));

/** The provider of a channel type; undefined where none serves it. */
export function providerForType(type: number): Provider | undefined {
  return byType.get(type);
}
