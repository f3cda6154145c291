import type { App } from '../../core/app.ts';
import { Reply } from '../../core/contract/envelope.ts';
import type { optionApi } from '../../core/contract/option.ts';
import { actorOf, type Handlers } from './context.ts';

export function optionHandlers(app: App): Handlers<typeof optionApi> {
  return {
    list: ({ with_flags = false }) => [...app.options.list(with_flags)],
    set: async ({ key, value }, context) => {
      await app.options.set(actorOf(context), key, value);
    },
    setMany: async ({ values }, context) => {
      await app.options.setMany(actorOf(context), values);
    },
    reset: async ({ key }, context) => {
      await app.options.reset(actorOf(context), key);
    },
    resetModelRatio: async (_input, context) => {
      await app.options.reset(actorOf(context), 'ModelRatio');
      return new Reply(undefined, app.translate(context.language, 'reply.ratios_reset'));
    },
  };
}
