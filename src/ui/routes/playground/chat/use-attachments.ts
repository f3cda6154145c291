/** The files that the reader has chosen for the next message: by button, camera, paste or drop. */
import { useEffect, useRef, useState } from 'react';
import { useUser } from '../../../client/session.ts';
import { useTranslation } from '../../../i18n/index.ts';
import { type Attachment, mostAttachments, takes } from './attachment.ts';
import type { ChatStore } from './chat-store.ts';
import { everyMessage } from './versions.ts';

/** `reads`: what the chosen model reads; none: it is not known. */
export function useAttachments(store: ChatStore, model: string, reads: readonly string[]) {
  const { t } = useTranslation();
  const userId = useUser()?.id ?? 0;
  const [attachments, setAttachments] = useState<readonly Attachment[]>([]);
  const [problem, setProblem] = useState<string>();
  const [reading, setReading] = useState(0);
  const [isOver, setOver] = useState(false);

  const add = async (files: readonly File[]) => {
    setProblem(undefined);
    const room = mostAttachments - attachments.length;
    if (files.length > room) setProblem(t('playground.attach.tooMany', { count: mostAttachments }));
    const used = new Set(
      store
        .state()
        .chats.flatMap(({ messages }) => [...everyMessage(messages)])
        .flatMap((message) => message.attachments?.map(({ id }) => id) ?? []),
    );
    setReading((count) => count + 1);
    for (const file of files.slice(0, room)) {
      try {
        const [{ readAttachment }, { keepFile }] = await Promise.all([
          import('./read-attachment.ts'),
          import('./file-box.ts'),
        ]);
        const read = await readAttachment(file);
        await keepFile(userId, read, used);
        const { content: _, ...attachment } = read;
        setAttachments((before) => [...before, attachment].slice(0, mostAttachments));
      } catch (error) {
        const isLarge =
          error instanceof Error && 'problem' in error && error.problem === 'tooLarge';
        const key = isLarge ? 'playground.attach.tooLarge' : 'playground.attach.unreadable';
        setProblem(t(key, { name: file.name }));
      }
    }
    setReading((count) => count - 1);
  };

  // A file that misses the field would replace the page.
  const latest = useRef(add);
  latest.current = add;
  useEffect(() => {
    const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    const over = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => event.relatedTarget === null && setOver(false);
    const drop = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setOver(false);
      void latest.current([...(event.dataTransfer?.files ?? [])]);
    };
    const stop = new AbortController();
    const { signal } = stop;
    window.addEventListener('dragover', over, { signal });
    window.addEventListener('dragleave', leave, { signal });
    window.addEventListener('drop', drop, { signal });
    return () => stop.abort();
  }, []);

  const unread = attachments.find(({ kind }) => !takes(kind, reads))?.kind;
  return {
    attachments,
    isReading: reading > 0,
    isOver,
    /** What keeps them from being sent, or went wrong. */
    problem:
      unread === undefined || unread === 'text'
        ? problem
        : t(`playground.attach.no.${unread}`, { model }),
    /** All of them can be sent to the model. */
    areReady: reading === 0 && unread === undefined,
    add: (files: readonly File[]) => void add(files),
    remove: (id: string) => {
      setProblem(undefined);
      setAttachments((before) => before.filter((other) => other.id !== id));
    },
    clear: () => setAttachments([]),
  };
}
