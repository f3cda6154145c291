import type { App } from '../../core/app.ts';
import type { playgroundApi } from '../../core/contract/playground.ts';
import { parseObject } from '../../core/kernel/json.ts';
import type { KeptItem } from '../../core/playground/module.ts';
import { actorOf, type Handlers } from './context.ts';

const stamps = ({ itemId, changedAt }: KeptItem) => ({ id: itemId, changed_at: changedAt });

function presentPrompt(item: KeptItem) {
  const { name, text } = parseObject(item.content) ?? {};
  return { ...stamps(item), name: String(name ?? ''), text: String(text ?? '') };
}

export function playgroundHandlers({ playground }: App): Handlers<typeof playgroundApi> {
  return {
    prompts: async (_input, context) =>
      (await playground.list(actorOf(context).id, 'prompt')).map(presentPrompt),
    putPrompt: async ({ id, name, text }, context) =>
      presentPrompt(
        await playground.put(actorOf(context).id, 'prompt', id, JSON.stringify({ name, text })),
      ),
    removePrompt: async ({ id }, context) => {
      await playground.remove(actorOf(context).id, 'prompt', id);
    },
    chats: async (_input, context) =>
      (await playground.list(actorOf(context).id, 'chat')).map((item) => ({
        ...stamps(item),
        content: item.content,
      })),
    putChat: async ({ id, content }, context) =>
      stamps(await playground.put(actorOf(context).id, 'chat', id, content)),
    removeChat: async ({ id }, context) => {
      await playground.remove(actorOf(context).id, 'chat', id);
    },
  };
}
