import { z } from '../kernel/zod.ts';
import { endpoint, nothing } from './endpoint.ts';

/** A UUID that the console makes. */
const itemId = z.uuid();
const stamps = { id: z.string(), changed_at: z.number().int() };

/** Characters. */
export const promptBounds = { name: 100, text: 20_000 } as const;

const promptFields = {
  name: z.string().trim().min(1).max(promptBounds.name),
  text: z.string().min(1).max(promptBounds.text),
};
/** `changed_at`: Unix milliseconds. */
const prompt = z.object({ ...stamps, name: z.string(), text: z.string() });
export type KeptPrompt = z.infer<typeof prompt>;

/** Characters of a conversation, and bytes of the body that brings it. */
const longestChat = 1_500_000;
const chatBytes = 6 * 1024 * 1024;

/** `content`: what the console wrote, as JSON. */
const chat = z.object({ ...stamps, content: z.string() });
export type KeptChat = z.infer<typeof chat>;

/** What the playground keeps of a user on the server (docs/rules/console.md#kept-items). */
export const playgroundApi = {
  prompts: endpoint({
    method: 'GET',
    path: '/api/turnpike/self/prompts',
    access: 'user',
    input: nothing,
    output: z.array(prompt),
    summary: 'My kept prompts, the last changed first',
  }),
  putPrompt: endpoint({
    method: 'PUT',
    path: '/api/turnpike/self/prompts/:id',
    access: 'user',
    input: z.object({ id: itemId, ...promptFields }),
    output: prompt,
    summary: 'Keep a prompt under a UUID of my choice, in place of the one that has it',
  }),
  removePrompt: endpoint({
    method: 'DELETE',
    path: '/api/turnpike/self/prompts/:id',
    access: 'user',
    input: z.object({ id: itemId }),
    output: z.undefined(),
    summary: 'Delete a kept prompt',
  }),
  chats: endpoint({
    method: 'GET',
    path: '/api/turnpike/self/chats',
    access: 'user',
    input: nothing,
    output: z.array(chat),
    summary: 'My conversations in the playground, where I keep them on the server',
  }),
  putChat: endpoint({
    method: 'PUT',
    path: '/api/turnpike/self/chats/:id',
    access: 'user',
    bodyLimit: chatBytes,
    input: z.object({ id: itemId, content: z.string().min(1).max(longestChat) }),
    output: chat.omit({ content: true }),
    summary: 'Keep a conversation under a UUID, in place of the one that has it',
  }),
  removeChat: endpoint({
    method: 'DELETE',
    path: '/api/turnpike/self/chats/:id',
    access: 'user',
    input: z.object({ id: itemId }),
    output: z.undefined(),
    summary: 'Delete a conversation that is kept on the server',
  }),
};
