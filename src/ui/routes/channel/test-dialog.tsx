/** Choose the model a channel is tested with. */
import { Modal, Text, TextInput } from '@mantine/core';
import { Search, Zap } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { ModelLogo } from '../../components/provider-logo.tsx';
import classes from './channel.module.css';
import { listOf } from './channel-form.ts';

interface TestDialogProps {
  readonly channel: ChannelEntity;
  readonly busy: boolean;
  readonly onTest: (model: string) => void;
  readonly onClose: () => void;
}

export function TestDialog({ channel, busy, onTest, onClose }: TestDialogProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const models = listOf(channel.models).filter((model) => model.toLowerCase().includes(text.trim().toLowerCase()));
  return (
    <Modal
      opened
      onClose={onClose}
      size={440}
      title={t('channel.test.title', { name: channel.name })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Text size="sm" c="dimmed" mb={12}>
        {t('channel.test.hint')}
      </Text>
      <TextInput
        data-autofocus
        aria-label={t('channel.test.search')}
        placeholder={t('channel.test.search')}
        leftSection={<Search size={15} strokeWidth={1.75} />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <ul className={classes.models}>
        {models.map((model) => (
          <li key={model}>
            <button type="button" disabled={busy} onClick={() => onTest(model)}>
              <ModelLogo model={model} size={16} />
              <span>{model}</span>
              <Zap size={14} strokeWidth={1.75} aria-hidden="true" />
            </button>
          </li>
        ))}
        {models.length === 0 && <li className={classes.dim}>{t('channel.test.none')}</li>}
      </ul>
    </Modal>
  );
}
