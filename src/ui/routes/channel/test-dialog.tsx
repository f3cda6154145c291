/**
 * Test a channel with models of one's choice, by one kind of request, whole or streamed; each
 * result stays in its row.
 */
import { Button, Loader, Select, Switch, Text, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useState } from 'react';
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import type { EndpointType } from '../../../core/vocabulary/endpoint-types.ts';
import { client } from '../../client/api.ts';
import { Dialog } from '../../components/dialog.tsx';
import { responseTone } from '../../components/measured-tone.ts';
import { ModelLogo } from '../../components/provider-logo.tsx';
import { useRunQuestion } from '../../components/run-question.ts';
import { ValueTag } from '../../components/tag.tsx';
import { FieldRow } from '../../form/form-rows.tsx';
import { durationText } from '../../hooks/use-time-text.ts';
import { useTranslation } from '../../i18n/index.ts';
import { listOf } from './list-of.ts';
import classes from './test-dialog.module.css';
import { type TestOutcome, useTestRun } from './use-test-run.ts';

type ModelResult = TestOutcome;

interface TestOptions {
  /** Empty: what suits the model. */
  readonly endpoint_type: EndpointType | '';
  readonly stream: boolean;
}

/** Tests of one channel's models. */
function useModelTests({ id }: Pick<ChannelEntity, 'id'>) {
  return useTestRun((model, options: TestOptions) =>
    client.channel.test({ id, model, ...options }),
  );
}

/** Paths say in every language which request is meant. */
const paths: Readonly<Record<EndpointType, string>> = {
  openai: '/v1/chat/completions',
  'openai-response': '/v1/responses',
  'openai-response-compact': '/v1/responses/compact',
  anthropic: '/v1/messages',
  gemini: '/v1beta/models/…:generateContent',
  completions: '/v1/completions',
  embeddings: '/v1/embeddings',
  'jina-rerank': '/v1/rerank',
  'image-generation': '/v1/images/generations',
  speech: '/v1/audio/speech',
  transcription: '/v1/audio/transcriptions',
  moderation: '/v1/moderations',
};

export function TestDialog({
  channel,
  onClose,
}: {
  readonly channel: ChannelEntity;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [endpoint, setEndpoint] = useState<EndpointType | ''>('');
  const [stream, setStream] = useState(false);
  const { results, busy, test, stop, isStopping } = useModelTests(channel);
  const askFirst = useRunQuestion('models');
  const models = listOf(channel.models).filter((model) =>
    model.toLowerCase().includes(text.trim().toLowerCase()),
  );
  const ask = (chosen: readonly string[]) => void test(chosen, { endpoint_type: endpoint, stream });
  return (
    <Dialog
      opened
      onClose={onClose}
      size={560}
      title={t('channel.test.title', { name: channel.name })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Text size="sm" c="dimmed" mb={12}>
        {t('channel.test.hint')}
      </Text>
      <FieldRow>
        <Select
          label={t('channel.test.endpoint')}
          allowDeselect={false}
          data={[
            { value: '', label: t('channel.test.endpoint.auto') },
            ...Object.entries(paths).map(([value, label]) => ({ value, label })),
          ]}
          value={endpoint}
          onChange={(value) => setEndpoint((value ?? '') as EndpointType | '')}
        />
        <Switch
          className={classes.stream ?? ''}
          label={t('channel.test.stream')}
          checked={stream}
          onChange={(event) => setStream(event.currentTarget.checked)}
        />
      </FieldRow>
      <div className={classes.bar}>
        <TextInput
          data-autofocus
          className={classes.search ?? ''}
          aria-label={t('channel.test.search')}
          placeholder={t('channel.test.search')}
          leftSection={<Search size={15} strokeWidth={1.75} />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {busy ? (
          <Button variant="default" loading={isStopping} onClick={stop}>
            {t('channel.tests.stop')}
          </Button>
        ) : (
          <Button
            variant="default"
            disabled={models.length === 0}
            onClick={() => askFirst(models.length, () => ask(models))}
          >
            {t('channel.test.models', { count: models.length })}
          </Button>
        )}
      </div>
      <ul className={classes.models}>
        {models.map((model) => (
          <li key={model}>
            <button type="button" disabled={busy} onClick={() => ask([model])}>
              <ModelLogo model={model} size={16} />
              <span className={classes.model}>{model}</span>
              <Outcome result={results.get(model)} />
            </button>
            <Complaint result={results.get(model)} />
          </li>
        ))}
        {models.length === 0 && <li className={classes.none}>{t('channel.test.none')}</li>}
      </ul>
    </Dialog>
  );
}

function Outcome({ result }: { result: ModelResult | undefined }) {
  const { t } = useTranslation();
  if (result === undefined) return <span className={classes.ask}>{t('channel.test')}</span>;
  if (result === 'running') return <Loader size={14} aria-label={t('channel.test.running')} />;
  if (!result.ok) return <ValueTag tone="red">{t('channel.test.bad')}</ValueTag>;
  return (
    <ValueTag tone={responseTone(Math.max(1, result.seconds * 1000))}>
      {durationText(Math.max(0.001, result.seconds))}
    </ValueTag>
  );
}

function Complaint({ result }: { result: ModelResult | undefined }) {
  if (result === undefined || result === 'running' || result.ok) return null;
  return (
    <p className={classes.complaint} role="alert">
      {result.message}
    </p>
  );
}
