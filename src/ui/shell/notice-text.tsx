import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { client } from '../client/api.ts';
import { queryClient } from '../client/query-client.ts';
import { SiteContent } from '../components/site-content.tsx';
import { FailedState } from '../components/states.tsx';
import { loadTextPart, useTranslation } from '../i18n/index.ts';
import { queryKeys } from '../queries/query-keys.ts';
import classes from './notice-text.module.css';

interface NoticeTextProps {
  readonly id: string;
  /** The text is on the screen. */
  readonly onShown: () => void;
  readonly onClose: () => void;
}

const noticeQuery = (id: string) => ({
  queryKey: queryKeys.siteText('notice', id),
  queryFn: async () => {
    const [text] = await Promise.all([client.system.notice(), loadTextPart('content')]);
    return text;
  },
});

/** Reads the notice, so that its dialog never stands empty; what fails is said there. */
export const readNotice = (id: string): Promise<void> => queryClient.prefetchQuery(noticeQuery(id));

export function NoticeText({ id, onShown, onClose }: NoticeTextProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(noticeQuery(id));
  const isShown = data !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, whatever function is given
  useEffect(() => {
    if (isShown) onShown();
  }, [isShown]);
  if (data === undefined)
    return error === null ? null : (
      <FailedState title={t('content.failed')} error={error} onRetry={() => void refetch()} />
    );
  return (
    <>
      <div className={classes.text}>
        {data.trim() === '' ? (
          t('content.notice.empty')
        ) : (
          <SiteContent text={data} title={t('shell.notice')} />
        )}
      </div>
      <Group justify="flex-end" mt={20}>
        <Button data-autofocus onClick={onClose}>
          {t('content.notice.close')}
        </Button>
      </Group>
    </>
  );
}
