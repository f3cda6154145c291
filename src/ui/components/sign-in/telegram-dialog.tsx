/**
 * Telegram's own button. Its script is loaded only when somebody asks for it
 * (docs/rules/accounts.md#telegram).
 */
import { Loader } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { client } from '../../client/api.ts';
import { failureText } from '../../client/failures.ts';
import { currentLanguage, useTranslation } from '../../i18n/index.ts';
import { useStatus } from '../../queries/use-status.ts';
import { Dialog } from '../dialog.tsx';
import classes from './sign-in.module.css';

/** Which page Telegram opens with its signed fields; a state is added. */
const path = '/oauth/telegram';
const widgetAddress = 'https://telegram.org/js/telegram-widget.js?22';

interface TelegramDialogProps {
  readonly title: string;
  readonly onClose: () => void;
}

export function TelegramDialog({ title, onClose }: TelegramDialogProps) {
  const { t } = useTranslation();
  const bot = useStatus()?.telegram_bot_name ?? '';
  const place = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  const {
    mutate: getState,
    data: state,
    error,
  } = useMutation({ mutationFn: () => client.oauth.state(), meta: { quiet: true } });
  useEffect(() => getState(), [getState]);
  useEffect(() => {
    const parent = place.current;
    if (parent === null || state === undefined || bot === '') return;
    const script = document.createElement('script');
    script.async = true;
    script.src = widgetAddress;
    script.dataset['telegramLogin'] = bot;
    script.dataset['size'] = 'large';
    script.dataset['lang'] = currentLanguage();
    script.dataset['authUrl'] =
      `${window.location.origin}${path}?state=${encodeURIComponent(state)}`;
    script.onerror = () => setFailed(true);
    parent.append(script);
    return () => parent.replaceChildren();
  }, [bot, state]);
  const problem =
    error !== null ? failureText(error) : failed ? t('identity.telegram.unreachable') : undefined;
  return (
    <Dialog
      opened
      onClose={onClose}
      size={400}
      title={title}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <p className={classes.hint}>{t('identity.telegram.hint')}</p>
      {problem === undefined ? (
        <div className={classes.widget}>
          {state === undefined && <Loader size={24} />}
          <div ref={place} />
        </div>
      ) : (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  );
}
