/**
 * The site's notice: opens by itself when the page is loaded and it is new to this browser, and
 * with the button at any time.
 */

import { Indicator } from '@mantine/core';
import { Megaphone } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { readStored, storageKeys, writeStored } from '../browser/local-storage.ts';
import { toastFailure } from '../client/failures.ts';
import { latePart } from '../client/late-part.ts';
import { isExpired, useUser } from '../client/session.ts';
import { openDialog } from '../components/dialogs.ts';
import { IconButton } from '../components/icon-button.tsx';
import { usePhone } from '../hooks/use-phone.ts';
import { translate, useTranslation } from '../i18n/index.ts';
import { useSelf } from '../queries/use-self.ts';
import { useStatusQuery } from '../queries/use-status.ts';

const load = () => import('./notice-text.tsx');
const NoticeText = latePart(async () => ({ default: (await load()).NoticeText }));

/**
 * Whether it opened by itself since the page was loaded. The button is mounted anew where the
 * page's frame changes.
 */
let opened = false;

/** The page says that something failed, is missing or forbidden: no notice opens over that by itself. */
const showsError = () => document.querySelector('main [role="alert"], [data-whole-page]') !== null;

const wasSeen = (id: string) => readStored(storageKeys.notice) === id;

/** `id` changes with the notice. */
export function NoticeButton({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const phone = usePhone();
  const [seen, setSeen] = useState(() => wasSeen(id));
  const open = async (byItself = false) => {
    const markSeen = () => {
      writeStored(storageKeys.notice, id);
      setSeen(true);
    };
    await (await load()).readNotice(id);
    if (byItself && showsError()) return;
    openDialog({
      title: translate('shell.notice'),
      role: 'dialog',
      size: 640,
      withCloseButton: true,
      content: (close) => (
        <Suspense fallback={null}>
          <NoticeText id={id} onShown={markSeen} onClose={close} />
        </Suspense>
      ),
    });
  };
  // A reader whose login has ended is led to the login, over which no notice stands.
  const user = useUser();
  const self = useSelf();
  // What the browser has kept names the notice of the last visit.
  const { isPlaceholderData } = useStatusQuery();
  const isKnown = user === null ? !isExpired() : self.data !== undefined;
  const stays = isKnown && !isPlaceholderData;
  // Only once for each load of the page: a notice that is written meanwhile does not interrupt, the
  // dot announces it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as the line above says
  useEffect(() => {
    if (!stays) return;
    if (!opened && !wasSeen(id)) void open(true).catch(() => undefined);
    opened = true;
  }, [stays]);
  useEffect(() => setSeen(wasSeen(id)), [id]);
  return (
    <Indicator disabled={seen} color="var(--tp-org)" size={7} offset={phone ? 12 : 6}>
      <IconButton
        size={phone ? 44 : 32}
        label={t(seen ? 'shell.notice' : 'shell.notice.new')}
        onClick={() => void open().catch(toastFailure)}
      >
        <Megaphone size={16} strokeWidth={1.75} />
      </IconButton>
    </Indicator>
  );
}
