/** The conversation as a call to copy. */
import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { siteAddress } from '../../../browser/site-address.ts';
import { type ClientKind, clientKinds, clientNames } from '../../../components/client-kinds.ts';
import { CopyButton } from '../../../components/copy-button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import {
  languageNames,
  type SampleLanguage,
  sampleKey,
  sampleLanguages,
} from '../../../components/samples.ts';
import { useTranslation } from '../../../i18n/index.ts';
import { useStatus } from '../../../queries/use-status.ts';
import { type ChatCode, chatCode } from './chat-code.ts';
import classes from './code-dialog.module.css';

interface CodeDialogProps extends Pick<ChatCode, 'settings' | 'messages'> {
  readonly onClose: () => void;
}

export function CodeDialog({ settings, messages, onClose }: CodeDialogProps) {
  const { t } = useTranslation();
  const status = useStatus();
  const [kind, setKind] = useState<ClientKind>('openai');
  const [language, setLanguage] = useState<SampleLanguage>('curl');
  const site = siteAddress(status?.server_address ?? '', window.location.origin);
  const text = chatCode(kind, language, { site, key: sampleKey, settings, messages });
  return (
    <Dialog
      opened
      onClose={onClose}
      size={720}
      title={t('playground.asCode')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <p className={classes.hint}>{t('playground.asCode.hint', { key: sampleKey })}</p>
      <div className={classes.choices}>
        <SegmentedControl
          size="xs"
          aria-label={t('playground.asCode.client')}
          data={clientKinds.map((value) => ({ value, label: clientNames[value] }))}
          value={kind}
          onChange={(value) => setKind(value as ClientKind)}
        />
        <SegmentedControl
          size="xs"
          aria-label={t('playground.asCode.language')}
          data={sampleLanguages.map((value) => ({ value, label: languageNames[value] }))}
          value={language}
          onChange={(value) => setLanguage(value as SampleLanguage)}
        />
        <span className={classes.copy}>
          <CopyButton text={text} label={t('playground.copy.code')} />
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard as well */}
      <pre className={classes.code} tabIndex={0}>
        {text}
      </pre>
    </Dialog>
  );
}
