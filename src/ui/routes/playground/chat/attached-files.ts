/** The contents of the files of a conversation, before it is sent. */
import { PlaygroundError } from '../post.ts';
import type { AttachedFile } from './attachment.ts';
import type { ChatMessage } from './message.ts';

/** By their ids. Throws PlaygroundError where one is gone. */
export async function filesOf(
  messages: readonly ChatMessage[],
  find: (id: string) => Promise<AttachedFile | undefined>,
): Promise<ReadonlyMap<string, AttachedFile>> {
  const files = new Map<string, AttachedFile>();
  for (const { id, name } of messages.flatMap(({ attachments = [] }) => attachments)) {
    const file = await find(id);
    if (file === undefined)
      throw new PlaygroundError({ status: 400, code: 'attachment_gone', type: '', text: name });
    files.set(id, file);
  }
  return files;
}
